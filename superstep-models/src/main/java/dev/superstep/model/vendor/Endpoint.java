package dev.superstep.model.vendor;

import dev.superstep.model.ModelRef;

/// Where a model is asked. Immutable.
///
/// @param base URL without a trailing slash
/// @param model the name that the server knows it by
record Endpoint(ModelRef ref, String base, String model, Key key) {}
