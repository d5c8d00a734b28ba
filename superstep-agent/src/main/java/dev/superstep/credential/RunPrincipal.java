package dev.superstep.credential;

import dev.superstep.graph.RunOptions;
import dev.superstep.node.ContextKey;

/// The person or program for whom a run works. Given anew with each run and each resumption of a
/// thread, and never stored: who resumes a thread acts by their own credentials. All nodes,
/// subgraphs, sub-agents and tools of the run have it. Immutable.
///
/// ```java
/// agent.run("Read my mail", new RunPrincipal("ada").in(options));
/// ```
///
/// @param id unique among all who use the program; no secret
public record RunPrincipal(String id) {
  /// The key by which a run has its principal.
  public static final ContextKey<RunPrincipal> KEY =
      ContextKey.of("run-principal", RunPrincipal.class);

  public RunPrincipal {
    if (id.isBlank()) throw new IllegalArgumentException("id of a principal must not be blank");
  }

  /// Options of a run for this principal.
  public RunOptions in(RunOptions options) {
    return options.with(KEY, this);
  }
}
