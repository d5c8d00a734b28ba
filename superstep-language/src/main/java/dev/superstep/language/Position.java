package dev.superstep.language;

/// A place in a source as people and other programs know it.
///
/// @param bytes the bytes before it, in UTF-8, from 0; a lone surrogate counts as three
/// @param line from 1
/// @param column from 1, in code points
public record Position(long bytes, int line, int column) {}
