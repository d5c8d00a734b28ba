package dev.superstep.repl.grant;

/// The limits of a session of an agent, beside those of a cell ([dev.superstep.repl.ReplPolicy])
/// and the agent's budget. A call that would pass one is not made, and ends its cell. Immutable.
///
/// @param turns of the model that writes cells
/// @param models the most calls of models by cells; those of a batch count each
/// @param tools the most calls of tools
/// @param agents the most calls of agents, sessions inside included
/// @param graphs the most runs of graphs
/// @param definitions the most graphs that are defined
/// @param depth the most sessions inside of each other
/// @param concurrency the most calls of a batch at once
/// @param errors the most cells in a row that may fail
/// @param directTokens texts that are no longer are read by the model itself, without a session; 0
///   for never
public record ReplLimits(
    int turns,
    int models,
    int tools,
    int agents,
    int graphs,
    int definitions,
    int depth,
    int concurrency,
    int errors,
    int directTokens) {
  private static final int DEPTH_MAX = 4;

  public ReplLimits {
    if (turns < 1 || concurrency < 1 || errors < 1) {
      throw new IllegalArgumentException("turns, concurrency and errors must be at least 1");
    }
    if (Math.min(Math.min(models, tools), Math.min(agents, graphs)) < 0 || definitions < 0) {
      throw new IllegalArgumentException("no limit on calls may be negative");
    }
    if (depth < 0 || depth > DEPTH_MAX) {
      throw new IllegalArgumentException("depth must be from 0 to 4, was " + depth);
    }
  }

  /// 20 turns; 64 calls of models, 128 of tools, 32 of agents and of graphs each, 8 definitions;
  /// one session inside; 8 calls at once; 4 errors in a row; and always a session.
  public static ReplLimits standard() {
    return new ReplLimits(20, 64, 128, 32, 32, 8, 1, 8, 4, 0);
  }

  /// Returns a copy with another number of turns.
  public ReplLimits withTurns(int most) {
    return new ReplLimits(
        most, models, tools, agents, graphs, definitions, depth, concurrency, errors, directTokens);
  }

  /// Returns a copy with other numbers of calls.
  public ReplLimits withCalls(int ofModels, int ofTools, int ofAgents, int ofGraphs) {
    return new ReplLimits(
        turns,
        ofModels,
        ofTools,
        ofAgents,
        ofGraphs,
        definitions,
        depth,
        concurrency,
        errors,
        directTokens);
  }

  /// Returns a copy with another number of graphs that may be defined.
  public ReplLimits withDefinitions(int most) {
    return new ReplLimits(
        turns, models, tools, agents, graphs, most, depth, concurrency, errors, directTokens);
  }

  /// Returns a copy with another depth.
  public ReplLimits withDepth(int most) {
    return new ReplLimits(
        turns, models, tools, agents, graphs, definitions, most, concurrency, errors, directTokens);
  }

  /// Returns a copy with another number of calls at once.
  public ReplLimits withConcurrency(int most) {
    return new ReplLimits(
        turns, models, tools, agents, graphs, definitions, depth, most, errors, directTokens);
  }

  /// Returns a copy that lets the model read short texts itself.
  public ReplLimits withDirect(int tokens) {
    return new ReplLimits(
        turns, models, tools, agents, graphs, definitions, depth, concurrency, errors, tokens);
  }
}
