package dev.superstep.flow;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Draws a flow as a tree of text. For one use.
final class FlowDrawing {
  private final Flow.Shape<?, ?> shape;
  private final Map<String, StepDefinition> consumers = new HashMap<>();
  private final Set<StepDefinition> shown = new HashSet<>();
  private final StringBuilder out = new StringBuilder();

  FlowDrawing(Flow.Shape<?, ?> shape) {
    this.shape = shape;
    for (var part : shape.parts()) for (var state : part.takes()) consumers.put(state.key(), part);
  }

  String text() {
    out.append(shape.name()).append(": ");
    out.append(shape.entry()).append(" -> ").append(shape.exit()).append('\n');
    below(List.of(shape.entry()), "");
    return out.toString();
  }

  private void below(List<StateType<?>> states, String indent) {
    for (int i = 0; i < states.size(); i++) {
      boolean last = i == states.size() - 1;
      var branch = indent + (last ? "└─ " : "├─ ");
      var part = consumers.get(states.get(i).key());
      if (part == null) {
        out.append(branch).append(states.get(i)).append('\n');
      } else if (shown.add(part)) {
        out.append(branch).append(part.line()).append('\n');
        below(part.gives(), indent + (last ? "   " : "│  "));
      } else {
        out.append(branch).append(part.line()).append(" (above)\n");
      }
    }
  }
}
