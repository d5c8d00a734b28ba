package dev.superstep.server.internal.wire;

import dev.superstep.event.Detail;
import dev.superstep.event.Event;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// Turns the events of a run into those of its stream. For one run and one thread at a time.
public final class RunFrames {
  private final GraphWire wire;
  private final RunContext run;

  public RunFrames(GraphWire wire, RunContext run) {
    this.wire = wire;
    this.run = run;
  }

  /// What the run's listener must ask of the engine.
  public static Set<Detail> details(Set<StreamMode> modes) {
    var all = EnumSet.noneOf(Detail.class);
    for (var mode : modes) all.addAll(mode.details());
    return all;
  }

  /// The begin of a stream.
  public List<RunFrame> start() {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The frames of an event; often none.
  public List<RunFrame> of(Event event) {
    throw new UnsupportedOperationException("not built yet");
  }

  /// The end of a run that failed.
  public List<RunFrame> failed(Throwable error) {
    return List.of(new RunFrame("error", ErrorJson.of(error)));
  }
}
