package dev.superstep.store;

import java.util.OptionalDouble;

/// An item that a search found. Immutable.
///
/// @param score how near it is to the query, from -1 to 1: the cosine of the angle between the
///   vectors; absent without a query
public record Hit(Item item, OptionalDouble score) {}
