package dev.superstep.agent.status;

import dev.superstep.agent.run.AgentEvent;
import dev.superstep.checkpoint.Entry;
import dev.superstep.event.Event;
import dev.superstep.event.Latency;
import dev.superstep.journal.Projection;
import dev.superstep.journal.ThreadJournal;
import dev.superstep.json.Codec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// The durations of the calls of models and tools by the agents of a thread, read from its journal.
/// Calls without an end are not counted. Immutable.
///
/// @param models by URL, in the order of their first calls
/// @param tools by name, in the order of their first calls
public record CallTiming(List<OfCall> models, List<OfCall> tools) {
  static final CallTiming NONE = new CallTiming(List.of(), List.of());

  /// The durations of the calls of a model or tool.
  public record OfCall(String name, Latency took) {}

  public CallTiming {
    models = List.copyOf(models);
    tools = List.copyOf(tools);
  }

  /// Makes it of a journal.
  public static Projection<CallTiming> projection() {
    return new OfJournal();
  }

  CallTiming after(Event event) {
    try {
      return AgentEvent.of(event).map(this::after).orElse(this);
    } catch (RuntimeException _) {
      // Kept without its payload, or told by a program.
      return this;
    }
  }

  private CallTiming after(AgentEvent event) {
    return switch (event) {
      case AgentEvent.ModelCompleted e -> new CallTiming(plus(models, e.model(), e.took()), tools);
      case AgentEvent.ToolCompleted e -> new CallTiming(models, plus(tools, e.tool(), e.took()));
      case AgentEvent.ToolFailed e -> new CallTiming(models, plus(tools, e.tool(), e.took()));
      case AgentEvent _ -> this;
    };
  }

  private static List<OfCall> plus(List<OfCall> before, String name, Duration took) {
    var all = new ArrayList<>(before);
    for (int i = 0; i < all.size(); i++) {
      if (!all.get(i).name().equals(name)) continue;
      all.set(i, new OfCall(name, all.get(i).took().plus(took)));
      return all;
    }
    all.add(new OfCall(name, Latency.none().plus(took)));
    return all;
  }

  private record OfJournal() implements Projection<CallTiming> {
    @Override
    public String name() {
      return "calls";
    }

    @Override
    public int version() {
      return 1;
    }

    @Override
    public Codec<CallTiming> codec() {
      return Codec.of(CallTiming.class);
    }

    @Override
    public CallTiming initial() {
      return NONE;
    }

    @Override
    public CallTiming fold(CallTiming timing, Entry entry) {
      return timing.after(ThreadJournal.event(entry));
    }
  }
}
