package dev.superstep.model.wire;

import static dev.superstep.model.ModelException.Kind.AUTH;
import static dev.superstep.model.ModelException.Kind.BAD_REQUEST;
import static dev.superstep.model.ModelException.Kind.CONTEXT_LENGTH;
import static dev.superstep.model.ModelException.Kind.OVERLOADED;
import static dev.superstep.model.ModelException.Kind.QUOTA;
import static dev.superstep.model.ModelException.Kind.RATE_LIMITED;
import static dev.superstep.model.ModelException.Kind.TIMEOUT;
import static dev.superstep.model.ModelException.Kind.UNAVAILABLE;

import dev.superstep.model.ModelException;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Types the errors that vendors report, before a reply or in the middle of one.
final class Refusals {
  private static final int MESSAGE_MAX = 500;
  private static final Pattern TOO_LONG =
      Pattern.compile(
          "context.?length|context.?window|maximum context|context size|prompt is too long"
              + "|input is too long|too many tokens|token count.{0,40}exceeds",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern OUT_OF_CREDIT =
      Pattern.compile(
          "insufficient_quota|billing_hard_limit|billing_not_active|credit balance is too low"
              + "|insufficient balance|insufficient_balance|insufficient credits",
          Pattern.CASE_INSENSITIVE);

  private Refusals() {}

  /// The error behind an HTTP status other than 2xx.
  static ModelException of(Wire wire, int status, HttpHeaders headers, String body) {
    var message = message(body);
    var kind = kind(status, body);
    var what = "answered HTTP " + status + (message.isEmpty() ? "" : ": " + message);
    return wire.error(kind, what + advice(kind, wire), retryAfter(headers).orElse(null));
  }

  /// The error in a reply that began well: `{"error": …}` in its vendor's form.
  static ModelException inReply(Wire wire, JsonNode error) {
    var text = error.toString();
    var code = error.path("code");
    var kind = code.isInt() ? kind(code.intValue(), text) : kindOfWords(text);
    var what = "reported an error in its reply: " + shortened(messageIn(error));
    return wire.error(kind, what + advice(kind, wire));
  }

  /// The kind of an error of one request among several.
  ///
  /// @param status 0 if the vendor gives none
  static ModelException.Kind kindOf(int status, JsonNode error) {
    return status > 0 ? kind(status, error.toString()) : kindOfWords(error.toString());
  }

  private static ModelException.Kind kind(int status, String body) {
    return switch (status) {
      case 401, 403 -> AUTH;
      case 404, 410 -> UNAVAILABLE;
      case 408 -> TIMEOUT;
      case 402 -> QUOTA;
      case 413 -> CONTEXT_LENGTH;
      // OpenAI gives the status of a rate to an account without credit, too.
      case 429 -> isOutOfCredit(body) ? QUOTA : RATE_LIMITED;
      case 409 -> OVERLOADED;
      default -> {
        if (status >= 500) yield OVERLOADED;
        if (status < 400) yield UNAVAILABLE;
        // Google answers 400 to a key that it does not know.
        if (body.contains("API_KEY_INVALID")) yield AUTH;
        if (isOutOfCredit(body)) yield QUOTA;
        yield TOO_LONG.matcher(body).find() ? CONTEXT_LENGTH : BAD_REQUEST;
      }
    };
  }

  private static boolean isOutOfCredit(String body) {
    return OUT_OF_CREDIT.matcher(body).find();
  }

  private static ModelException.Kind kindOfWords(String error) {
    var words = error.toLowerCase(Locale.ROOT);
    if (TOO_LONG.matcher(words).find()) return CONTEXT_LENGTH;
    if (isOutOfCredit(words)) return QUOTA;
    if (words.contains("rate_limit")) return RATE_LIMITED;
    if (words.contains("authentication") || words.contains("permission")) return AUTH;
    if (words.contains("invalid_request")) return BAD_REQUEST;
    return OVERLOADED;
  }

  private static String advice(ModelException.Kind kind, Wire wire) {
    if (kind == AUTH) {
      var variable = wire.key().variable();
      return variable.isEmpty()
          ? ". It wants a key: set SUPERSTEP_OPENAI_COMPATIBLE_API_KEY"
          : ". Check the key in " + variable;
    }
    if (kind == QUOTA) return ". The account has no credit left: see to its plan and its bills";
    return kind == UNAVAILABLE ? ". Check the model's name and the base URL" : "";
  }

  private static String message(String body) {
    try {
      var json = JsonMapper.shared().readTree(body);
      // Google wraps its errors in a list when a stream was asked for.
      var root = json.isArray() ? json.path(0) : json;
      return shortened(messageIn(root.hasNonNull("error") ? root.get("error") : root));
    } catch (JacksonException _) {
      return shortened(body);
    }
  }

  private static String messageIn(JsonNode error) {
    if (error.isString()) return error.stringValue();
    for (var name : new String[] {"message", "detail"}) {
      if (error.path(name).isString()) return error.get(name).stringValue();
    }
    return error.isMissingNode() ? "" : error.toString();
  }

  private static String shortened(String message) {
    var line = message.strip().replaceAll("\\s+", " ");
    var cut = line.length() <= MESSAGE_MAX ? line : line.substring(0, MESSAGE_MAX) + "…";
    return cut.endsWith(".") ? cut.substring(0, cut.length() - 1) : cut;
  }

  /// `Retry-After` in seconds or as a date, the latter measured by the server's own clock.
  private static Optional<Duration> retryAfter(HttpHeaders headers) {
    var exact = headers.firstValue("retry-after-ms").flatMap(Refusals::number);
    if (exact.isPresent()) return exact.map(ms -> Duration.ofMillis(Math.round(ms)));
    var header = headers.firstValue("retry-after");
    var seconds = header.flatMap(Refusals::number);
    if (seconds.isPresent()) return seconds.map(s -> Duration.ofMillis(Math.round(s * 1000)));
    var until = header.flatMap(Refusals::date);
    var now = headers.firstValue("date").flatMap(Refusals::date);
    if (until.isEmpty() || now.isEmpty()) return Optional.empty();
    return Optional.of(Duration.between(now.get(), until.get())).filter(d -> !d.isNegative());
  }

  private static Optional<Double> number(String text) {
    try {
      return Optional.of(Double.valueOf(text.strip())).filter(n -> n >= 0 && n < 1e9);
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  private static Optional<ZonedDateTime> date(String text) {
    try {
      return Optional.of(ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
