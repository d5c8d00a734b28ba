package dev.superstep.budget;

import dev.superstep.message.Content;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelProfile;
import dev.superstep.model.TokenCounter;
import dev.superstep.model.Usage;

/// Says how many tokens a call can have used, where its vendor does not say or cannot be right.
/// Immutable.
///
/// @param request as it was sent
/// @param profile what is known of the model
/// @param counter estimates what a text has
/// @param isLimited whether a budget rests on it; else the estimate is the likely usage, not the
///   largest possible one
record UsageEstimator(
    ChatRequest request, ModelProfile profile, TokenCounter counter, boolean isLimited) {
  /// The largest answer for a request that sets no limit.
  static final long OUTPUT_RESERVE = 8_192;

  private static final long OUTPUT_MAX = 1_000_000;
  private static final long TEMPLATE_MAX = 65_536;
  private static final long PICTURE_MAX = 100_000;

  /// No character has more bytes than this, and no token has fewer than one.
  private static final TokenCounter BYTES = text -> 3L * text.length();

  /// The most that the answer may have.
  long output() {
    return request.maxTokens().map(Integer::longValue).orElse(OUTPUT_RESERVE);
  }

  long input() {
    return counter.count(request);
  }

  /// The usage of a reply as its vendor reports it. A number that is negative, too large or missing
  /// is replaced by the largest possible one.
  Usage of(ChatReply reply) {
    var told = reply.usage();
    // A test, a recording and a cache may well say that nothing was used.
    boolean mustBeTold =
        reply.source() == ChatReply.Source.LIVE || reply.source() == ChatReply.Source.BATCHED;
    boolean isInput = told.input() > 0 || (told.input() == 0 && !mustBeTold);
    boolean isOutput =
        told.output() > 0 || (told.output() == 0 && (!mustBeTold || reply.message().isEmpty()));
    long input = isInput ? possible(told.input()) : input();
    long output = isOutput ? Math.min(told.output(), outputMax()) : outputOf(reply);
    boolean isInputTrue = input == told.input() && areParts(told, input);
    boolean isOutputTrue = output == told.output() && isPart(told.reasoning(), output);
    if (isInputTrue && isOutputTrue) return told;
    return new Usage(
        input,
        isInputTrue ? told.cachedInput() : input,
        isInputTrue ? told.cacheWrite() : 0,
        output,
        isOutputTrue ? told.reasoning() : output,
        true);
  }

  private static boolean areParts(Usage told, long input) {
    return isPart(told.cachedInput(), input)
        && isPart(told.cacheWrite(), input - told.cachedInput());
  }

  private static boolean isPart(long part, long whole) {
    return part >= 0 && part <= whole;
  }

  /// The usage of a call that failed: nothing if nothing was sent, the prompt if the vendor
  /// declined it, and the largest possible usage if it is unknown how far the answer had come.
  Usage of(Throwable error) {
    boolean isWhole = !(error instanceof ModelException);
    if (error instanceof ModelException known) {
      switch (known.kind()) {
        case BAD_URL, UNAVAILABLE -> {
          return Usage.NONE;
        }
        case AUTH, QUOTA, RATE_LIMITED, OVERLOADED, BAD_REQUEST, CONTEXT_LENGTH -> isWhole = false;
        case REFUSED, TIMEOUT, MALFORMED, TRANSPORT, TOO_LARGE -> isWhole = true;
      }
    }
    long input = input();
    // All of it may have come from a cache, and been thoughts.
    return isWhole && isLimited
        ? new Usage(input, input, 0, output(), output(), true)
        : new Usage(input, 0, 0, 0, 0, true);
  }

  /// Unreported thoughts can be as long as the answer may be.
  private long outputOf(ChatReply reply) {
    long said = counter.count(reply.message());
    return isLimited ? Math.max(output(), said) : said;
  }

  /// A number for the prompt that is no larger than can be. Most are so small that nothing needs to
  /// be counted.
  private long possible(long told) {
    long window = profile.contextWindow().orElse(Long.MAX_VALUE);
    return told <= Math.min(TEMPLATE_MAX, window) ? told : Math.min(told, inputMax());
  }

  private long inputMax() {
    long pictures = 0;
    for (var message : request.messages()) {
      for (var part : message.content()) {
        switch (part) {
          case Content.Image _, Content.ImageLink _, Content.FileLink _ -> pictures++;
          // A page of a PDF, or a second of a film, takes more bytes than this.
          case Content.File(_, var base64, _) -> pictures += 1 + base64.length() / 4_000;
          case Content.Text _, Content.Data _, Content.Thinking _, Content.Extension _ -> {}
        }
      }
    }
    long most = TEMPLATE_MAX + PICTURE_MAX * pictures + 2 * BYTES.count(request);
    // What is known of a model may be out of date: what we count ourselves can be.
    return profile.contextWindow().isEmpty()
        ? most
        : Math.min(most, Math.max(profile.contextWindow().getAsLong(), input()));
  }

  private long outputMax() {
    return profile.maxOutput().isEmpty()
        ? OUTPUT_MAX
        : Math.max(profile.maxOutput().getAsLong(), output());
  }
}
