package dev.superstep.agent;

/// What a model or agent node emits, under the name `text`, while its model speaks.
public record TextPiece(String text) {}
