package dev.superstep.error;

import dev.superstep.topology.Topology;

/// A router, a command or an input named a node to which it may not lead. Nothing of the superstep
/// or of the input is committed.
public final class UnknownTarget extends StepFailed {
  /// Stands for the input of a run where the name of a node is expected.
  public static final String INPUT = "__input__";

  private final String from;
  private final String target;

  public UnknownTarget(String from, String target, String why) {
    super("graph.unknown-target", message(from, target, why), null);
    this.from = from.equals(INPUT) ? Topology.START : from;
    this.target = target;
  }

  private static String message(String from, String target, String why) {
    var subject = from.equals(Topology.START) ? "START leads to " : "Node `" + from + "` leads to ";
    if (from.equals(INPUT)) subject = "The input starts at ";
    var text = subject + "`" + target + "`: " + why;
    return text.replace(Topology.START, "START").replace(Topology.END, "END");
  }

  /// The node whose router or command it was; [dev.superstep.graph.Graph#START] if it was the
  /// input.
  public String from() {
    return from;
  }

  /// The name that it gave.
  public String target() {
    return target;
  }
}
