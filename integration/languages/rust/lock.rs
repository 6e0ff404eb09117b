//! A lock server, node 0, and its clients. Each client asks once, holds the lock, and gives it back.
//! The server may crash once, and must not forget who holds the lock.
mod foretell;
use foretell::{tag, Context, Event, Family, Kind, Node, Record, System, What, PER_PAIR};
use std::{collections::HashMap, sync::Arc};

const SERVER: u32 = 0;
const MESSAGES: [&str; 3] = ["Acquire", "Grant", "Release"];
const ACTIONS: [&str; 2] = ["Acquire", "Release"];

struct Lock { clients: u32, forgets_holder: bool }

/// A state is one byte for each member; granted_to is 0 for nobody.
#[derive(Clone, Default)]
struct State { granted_to: u8, asked: bool, holds: bool, forgets_holder: bool }
impl State {
    fn decode(b: &[u8]) -> State { State { granted_to: b[0], asked: b[1] == 1, holds: b[2] == 1, ..State::default() } }
}
impl Node for State {
    fn encode(&self) -> Vec<u8> { vec![self.granted_to, self.asked as u8, self.holds as u8] }
    fn handle(&mut self, event: &Event, context: &mut Context) {
        match (event.kind, event.body) {
            (Kind::Crash, _) if self.forgets_holder => *self = State::default(),
            (Kind::Act, body) => {
                self.asked = true;
                self.holds = false;
                context.send(SERVER, body);
            }
            (Kind::Deliver, b"Acquire") if self.granted_to == 0 => {
                self.granted_to = event.peer as u8;
                context.send(event.peer, b"Grant");
            }
            (Kind::Deliver, b"Grant") => self.holds = true,
            (Kind::Deliver, b"Release") => self.granted_to = 0,
            _ => {}
        }
    }
}
impl System for Lock {
    fn record(&self) -> Record {
        let mut r = Record::default().tag(tag::NODES, |w| w.u32(1 + self.clients));
        for node in 0..=self.clients {
            let server = node == SERVER;
            r = r.tag(tag::NODE, |w| w.u32(server as u32).u32(0).text(if server { "server" } else { "client" }));
        }
        r = r.tag(tag::INVARIANT, |w| w.text("one-holder").text("No two clients hold the lock.").u32(PER_PAIR).u32(0));
        r = r.tag(tag::GOAL, |w| w.text("granted").text("Somebody gets the lock."));
        r = MESSAGES.iter().fold(r, |r, name| r.text(tag::MESSAGE_KIND, name));
        r = ACTIONS.iter().fold(r, |r, name| r.text(tag::ACTION_KIND, name));
        r.tag(tag::FAULT_HANDLER, |w| w.u32(2)).tag(tag::SYSTEM_FLAGS, |w| w.u32(2 | 4)) // No breaks, no timers.
    }
    fn initial(&self, _: u32) -> Vec<u8> { State::default().encode() }
    fn wake(&self, _: u32, state: &[u8]) -> Box<dyn Node + '_> {
        Box::new(State { forgets_holder: self.forgets_holder, ..State::decode(state) })
    }
    fn actions(&self, node: u32, state: &[u8]) -> Vec<Vec<u8>> {
        let s = State::decode(state);
        let can = [node != SERVER && !s.asked, s.holds];
        ACTIONS.iter().zip(can).filter(|(_, can)| *can).map(|(name, _)| name.as_bytes().to_vec()).collect()
    }
    fn project(&self, _: u32, _: u32, state: &[u8]) -> Option<Vec<u8>> { State::decode(state).holds.then(Vec::new) }
    fn violates(&self, _: u32, _: &[Option<&[u8]>]) -> bool { true }
    fn reached(&self, _: u32, _: u32, state: &[u8]) -> bool { State::decode(state).holds }
    fn kind(&self, what: What, body: &[u8]) -> u32 {
        let names: &[&str] = if what == What::Message { &MESSAGES } else { &ACTIONS };
        names.iter().position(|name| name.as_bytes() == body).unwrap() as u32
    }
    fn render(&self, what: What, _: u32, bytes: &[u8]) -> (String, Vec<(String, String)>) {
        if what != What::State { return (format!("{}()", String::from_utf8_lossy(bytes)), vec![]) }
        let s = State::decode(bytes);
        let granted = if s.granted_to == 0 { "-".to_string() } else { s.granted_to.to_string() };
        let yes = |flag: bool| if flag { "yes" } else { "no" }.to_string();
        let fields = [("granted_to", granted), ("asked", yes(s.asked)), ("holds", yes(s.holds))];
        (String::new(), fields.map(|(name, value)| (name.to_string(), value)).to_vec())
    }
}
fn open(_: &str, bug: &str, set: &HashMap<String, i64>) -> Result<Arc<dyn System>, String> {
    let clients = *set.get("clients").unwrap_or(&2) as u32;
    Ok(Arc::new(Lock { clients, forgets_holder: bug == "forgets-holder" }))
}
fn family() -> Family {
    let record = Record::default().text(tag::TEXT, "A lock server that may crash, and its clients.").text(tag::LIVE, "start");
    let record = record.tag(tag::SCENARIO, |w| w.text("start").text("From the initial states."));
    let record = record.tag(tag::BUG, |w| w.text("forgets-holder").text("A crashed server forgets the holder."));
    let numbers = |w: foretell::Writer| w.text("clients").text("how many clients there are").i64(2).i64(1).i64(5);
    Family { name: "lock", record: record.tag(tag::PARAMETER, numbers), open }
}
service!(family);
