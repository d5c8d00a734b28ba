package dev.superstep.graph;

/// What all tasks of a run share. Immutable.
///
/// @param limit the last superstep that the run may take
record RunScope(
    Graph graph,
    String run,
    int limit,
    boolean isKept,
    RunOptions options,
    Announcer announcer,
    Allowance allowance) {}
