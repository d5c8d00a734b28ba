package dev.superstep.catalog;

/// A problem in a catalogue.
///
/// @param code stable, such as `negative-price`
/// @param message what, where, and what to do
public record CatalogProblem(String code, String message) {}
