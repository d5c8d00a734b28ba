package dev.superstep.bench.measure;

/// One workload as one system does it.
@FunctionalInterface
public interface Workload {
  /// Warms up, measures one case, and checks what came out.
  void measure(Case what, Recorder out) throws Exception;
}
