package dev.superstep.lobe;

/// That a lobe asked to see something, and what it was told. Immutable.
public record Inspected(InspectionRequest request, InspectionPolicy.Ruling ruling) {}
