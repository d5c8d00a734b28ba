package dev.superstep.agui;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// The events of AG-UI that follow from one event of the server. For one thread.
final class EventList {
  private final List<ObjectNode> all = new ArrayList<>();

  /// Adds an event, whose fields the caller fills.
  ObjectNode add(String type) {
    var event = Trees.object().put("type", type);
    all.add(event);
    return event;
  }

  List<ObjectNode> all() {
    return all;
  }
}
