package dev.superstep.spring;

/// A run that its process left unfinished.
///
/// @param thread on which it ran
/// @param graph the name of its graph or agent
/// @param run its id
/// @param drained whether it was stopped in order; else its process died
/// @param personal whether it worked for a person, whose credentials its tools need: it goes on
///   when that person resumes it, and never by itself
public record LeftRun(String thread, String graph, String run, boolean drained, boolean personal) {}
