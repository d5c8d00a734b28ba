package dev.superstep.server.graph;

/// A program that was found and cannot be started by a request. The studio lists it. Immutable.
///
/// @param why with what to do about it
public record NotServed(String id, String description, String why) {}
