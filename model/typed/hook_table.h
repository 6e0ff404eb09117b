#pragma once

// The hooks of a protocol, one row each: HOOK(name, concept that it fits, signature), and names
// that people write when they mean one of them: NEAR(wrong, right).

#define FORETELL_HOOKS_(HOOK)                                                                      \
  HOOK(OnMessage, FitsOnMessage,                                                                   \
       "void OnMessage(State& state, NodeId from, const Message& message, Context<Message>& "      \
       "context) const, or one for each kind of message")                                          \
  HOOK(OnAction, FitsOnAction,                                                                     \
       "void OnAction(State& state, const Action& action, Context<Message>& context) const, or "   \
       "one for each kind of action")                                                              \
  HOOK(Actions, FitsActions, "std::vector<Action> Actions(NodeId node, const State& state) const") \
  HOOK(Can, FitsCan,                                                                               \
       "bool Can(NodeId node, const State& state, Kind) const for each kind of action, none of "   \
       "which has members; else Actions")                                                          \
  HOOK(OnCrash, FitsOnCrash, "State OnCrash(NodeId node, const State& state) const")               \
  HOOK(OnRestart, FitsOnRestart, "void OnRestart(State& state, Context<Message>& context) const")  \
  HOOK(OnBreak, FitsOnBreak,                                                                       \
       "void OnBreak(State& state, NodeId peer, Context<Message>& context) const")                 \
  HOOK(Initial, FitsInitial, "State Initial(NodeId node) const")                                   \
  HOOK(Invariants, FitsInvariants, "std::vector<TypedInvariant<State>> Invariants() const")        \
  HOOK(node_count, FitsNodeCount, "uint32_t node_count() const")                                   \
  HOOK(network, FitsNetwork, "Network network() const")                                            \
  HOOK(faults, FitsFaults, "FaultBudget faults(NodeId node) const")                                \
  HOOK(Role, FitsRole, "std::string Role(NodeId node) const")                                      \
  HOOK(Timing, FitsTiming, "ActionTiming Timing(const Action& action) const")                      \
  HOOK(Weight, FitsWeight, "uint32_t Weight(const Action& action) const, or of a const Message&")  \
  HOOK(Calls, FitsCalls, "std::vector<Action> Calls(NodeId node, const State& state) const")       \
  HOOK(ParseCall, FitsParseCall, "std::optional<Action> ParseCall(const std::string& text) const") \
  HOOK(Ask, FitsAsk,                                                                               \
       "std::optional<std::string> Ask(const State& state, const std::string& question) const")    \
  HOOK(Imagine, FitsImagine,                                                                       \
       "std::vector<TypedImagined<State, Message>> Imagine(const TypedCut<State, Message>& "       \
       "live) const")                                                                              \
  HOOK(Valid, FitsValid,                                                                           \
       "bool Valid(const State& state) const, or of a const Message& or a const Action&")

#define FORETELL_NEAR_HOOKS_(NEAR)                                                                 \
  NEAR(onMessage, OnMessage)                                                                       \
  NEAR(on_message, OnMessage)                                                                      \
  NEAR(OnMessages, OnMessage)                                                                      \
  NEAR(OnMsg, OnMessage)                                                                           \
  NEAR(OnReceive, OnMessage) NEAR(HandleMessage, OnMessage) NEAR(onAction, OnAction) NEAR(         \
      on_action, OnAction) NEAR(OnActions, OnAction) NEAR(HandleAction, OnAction)                  \
      NEAR(actions, Actions) NEAR(GetActions, Actions) NEAR(EnabledActions, Actions) NEAR(         \
          Enabled, Actions) NEAR(can, Can) NEAR(CanAct, Can) NEAR(IsEnabled, Can)                  \
          NEAR(onCrash, OnCrash) NEAR(on_crash, OnCrash) NEAR(OnCrashed, OnCrash) NEAR(            \
              OnFail, OnCrash) NEAR(OnFailure, OnCrash) NEAR(Survivor, OnCrash)                    \
              NEAR(onRestart, OnRestart) NEAR(on_restart, OnRestart) NEAR(                         \
                  OnRestarted, OnRestart) NEAR(OnRecover, OnRestart) NEAR(OnRecovery, OnRestart)   \
                  NEAR(OnReboot, OnRestart) NEAR(onBreak, OnBreak) NEAR(on_break, OnBreak) NEAR(   \
                      OnBroken, OnBreak) NEAR(OnDisconnect, OnBreak) NEAR(OnReset, OnBreak)        \
                      NEAR(initial, Initial) NEAR(InitialState, Initial) NEAR(                     \
                          initial_state, Initial) NEAR(Init, Initial)                              \
                          NEAR(invariants, Invariants) NEAR(Invariant, Invariants) NEAR(           \
                              Properties, Invariants)                                              \
                              NEAR(properties, Invariants) NEAR(NodeCount, node_count) NEAR(       \
                                  nodeCount, node_count) NEAR(num_nodes, node_count)               \
                                  NEAR(NumNodes, node_count) NEAR(nodes_count, node_count)         \
                                      NEAR(GetNetwork, network) NEAR(Faults, faults) NEAR(         \
                                          fault, faults) NEAR(fault_budget, faults)                \
                                          NEAR(FaultBudgets, faults) NEAR(GetFaults, faults) NEAR( \
                                              role,                                                \
                                              Role) NEAR(Roles, Role) NEAR(RoleOf, Role)           \
                                              NEAR(timing, Timing) NEAR(Timings, Timing)           \
                                                  NEAR(Timers, Timing) NEAR(calls, Calls) NEAR(    \
                                                      GetCalls, Calls) NEAR(parse_call, ParseCall) \
                                                      NEAR(parseCall,                              \
                                                           ParseCall) NEAR(ParseCalls, ParseCall)  \
                                                          NEAR(ask, Ask) NEAR(OnAsk, Ask) NEAR(    \
                                                              Answer, Ask) NEAR(imagine, Imagine)  \
                                                              NEAR(OnImagine, Imagine)             \
                                                                  NEAR(valid, Valid)               \
                                                                      NEAR(IsValid, Valid)         \
                                                                          NEAR(Validate, Valid)
