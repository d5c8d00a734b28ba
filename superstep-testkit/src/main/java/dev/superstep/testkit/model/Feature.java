package dev.superstep.testkit.model;

/// A feature that not every vendor's protocol can carry; an adapter need not invent it. Everything
/// that is not listed here is required of every adapter.
public enum Feature {
  /// Tool calls have ids of the vendor's making.
  CALL_IDS,
  /// The ids of calls are sent as they are, whoever made them; else they are mapped.
  CALL_IDS_OF_OTHERS,
  /// Whole replies carry arguments as text, which may be malformed.
  RAW_ARGUMENTS,
  /// Streamed replies carry arguments as text, which may be malformed.
  STREAMED_RAW_ARGUMENTS,
  /// Tokens read from a cache are counted.
  CACHED_INPUT,
  /// Tokens written to a cache are counted.
  CACHE_WRITES,
  /// Tokens of hidden reasoning are counted.
  REASONING_TOKENS,
  /// Thoughts are returned.
  THINKING,
  /// Thoughts are accepted back.
  THINKING_BACK,
  /// Tool calls carry something that the vendor wants back.
  CALL_SEALS,
  /// The model can be told how much to think.
  EFFORT,
  /// The model can be made to call a tool.
  FORCED_CALLS,
  /// There are texts at which the model stops; without, a request with one is refused.
  STOP,
  /// The vendor fetches pictures; without, a link to one is refused.
  IMAGE_LINKS,
  /// A reply has an id.
  REPLY_IDS
}
