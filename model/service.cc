#include "foretell/model/service.h"

namespace foretell::model {

// The defaults of services that have nothing to say about it.
bool Service::Reached(size_t, NodeId, const std::string&) const { return false; }
std::string Service::Role(NodeId) const { return ""; }
size_t Service::MessageKind(const std::string&) const { return 0; }
size_t Service::ActionKind(const std::string&) const { return 0; }
std::string Service::ExchangedState(const std::string& state, Exchange) const { return state; }
std::string Service::ExchangedMessage(const std::string& body, Exchange) const { return body; }
std::string Service::ExchangedAction(const std::string& body, Exchange) const { return body; }
std::optional<uint32_t> Service::Weight(const Event&) const { return std::nullopt; }
std::vector<Field> Service::MessageFields(const std::string&) const { return {}; }
std::vector<Field> Service::ActionFields(const std::string&) const { return {}; }

}  // namespace foretell::model
