package dev.superstep.model;

/// A typed answer of a model.
///
/// @param usage of all turns together
/// @param turns how often the model was asked: 1 unless its answer needed repair
/// @param model which model answered
/// @param source whether the model was asked just now
public record StructuredReply<T>(
    T value, Usage usage, int turns, ModelRef model, ChatReply.Source source) {}
