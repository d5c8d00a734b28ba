package dev.superstep.catalog;

/// Where facts of a catalogue were taken from.
///
/// @param name such as the name of a package
/// @param licence under which they may be used, as an SPDX name
/// @param gives which facts, in words
public record Source(String name, String version, String licence, String gives) {}
