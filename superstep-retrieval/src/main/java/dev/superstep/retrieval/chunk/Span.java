package dev.superstep.retrieval.chunk;

/// A part of a text.
record Span(int start, int end) {
  int length() {
    return end - start;
  }
}
