package dev.superstep.service;

import dev.superstep.json.Json;

/// An entry of a log. Immutable.
///
/// @param offset its place, counted from 1
public record LogEntry(long offset, Json value) {}
