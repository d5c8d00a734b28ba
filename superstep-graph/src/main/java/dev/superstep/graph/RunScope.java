package dev.superstep.graph;

/// What all tasks of a run share. Immutable.
///
/// @param limit the last superstep that the run may take
/// @param depth how many graphs this one runs inside of
record RunScope(
    Graph graph,
    String run,
    int limit,
    int depth,
    boolean isKept,
    RunOptions options,
    Announcer announcer,
    Allowance allowance,
    PauseBook paused) {}
