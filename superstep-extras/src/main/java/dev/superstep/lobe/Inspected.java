package dev.superstep.lobe;

/// The record of a lobe's request to see something, with the answer. Immutable.
public record Inspected(InspectionRequest request, InspectionPolicy.Ruling ruling) {}
