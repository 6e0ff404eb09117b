// A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
// The server may crash once, and must not forget who holds the lock.
import * as foretell from "./foretell.mjs";

const SERVER = 0;
const MESSAGES = ["Acquire", "Grant", "Release"];
const ACTIONS = ["Acquire", "Release"];

class Lock extends foretell.Service {
  messageKinds = MESSAGES;
  actionKinds = ACTIONS;
  faultHandlers = [foretell.CRASH];
  flags = foretell.IGNORES_BREAKS | foretell.NO_TIMERS;
  invariants = [{
    name: "one-holder", text: "No two clients hold the lock.", scope: foretell.PAIR,
    project: (node, state) => (state.holds ? true : null), violated: () => true,
  }];
  goals = [{ name: "granted", text: "Somebody gets the lock.", reached: (node, state) => state.holds }];

  constructor(bug, clients) {
    super();
    this.nodes = 1 + clients;
    this.forgetsHolder = bug === "forgets-holder";
  }
  role(node) { return node === SERVER ? "server" : "client"; }
  faults(node) { return [node === SERVER, 0]; }
  initial() { return { granted_to: null, asked: false, holds: false }; }
  actions(node, state) {
    const can = { Acquire: node !== SERVER && !state.asked, Release: state.holds };
    return ACTIONS.filter((name) => can[name]);
  }
  handle(node, state, { kind, peer, body }, context) {
    if (kind === foretell.CRASH) return this.forgetsHolder ? this.initial() : state;
    if (kind === foretell.ACTION) {
      context.send(SERVER, body);
      return { ...state, asked: true, holds: false };
    }
    if (kind !== foretell.DELIVER) return state;
    if (body === "Acquire" && state.granted_to === null) {
      context.send(peer, "Grant");
      return { ...state, granted_to: peer };
    }
    if (body === "Grant") return { ...state, holds: true };
    return body === "Release" ? { ...state, granted_to: null } : state;
  }
  kind(what, value) { return (what === foretell.MESSAGE ? MESSAGES : ACTIONS).indexOf(value); }
  render(what, node, value) {
    if (what !== foretell.STATE) return [`${value}()`, []];
    const shown = (one) => (typeof one === "boolean" ? (one ? "yes" : "no") : String(one ?? "-"));
    return ["", ["granted_to", "asked", "holds"].map((name) => [name, shown(value[name])])];
  }
}

foretell.serve({
  name: "lock", text: "A lock server that may crash, and its clients.", live: "start",
  bugs: [["forgets-holder", "A crashed server forgets the holder."]],
  parameters: [["clients", "how many clients there are", 2, 1, 5]],
  open: (scenario, bug, { clients = 2 }) => new Lock(bug, clients),
});
