package dev.superstep.spring.ai;

import dev.superstep.middleware.Secrets;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelException.Kind;
import dev.superstep.model.ModelRef;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.SocketTimeoutException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/// Errors of Spring AI's models. Spring AI has no classes for them of its own: each model throws
/// what its vendor's library or Spring's HTTP client throws, and nearly all of these know the
/// status of the response.
final class ErrorConversions {
  private static final int CAUSES_MAX = 16;
  private static final List<String> TOO_LONG =
      List.of("context length", "context_length", "context window", "prompt is too long");

  private static final Pattern STATUS = Pattern.compile("^([1-5]\\d\\d)(?!\\d)");
  private static final Pattern RETRY_AFTER =
      Pattern.compile("(?i)\\bretry-after\\W{1,6}(\\d{1,6})(?!\\d)");

  private ErrorConversions() {}

  static ModelException fromSpring(ModelRef ref, Throwable error) {
    var kind = Kind.MALFORMED;
    var at = error;
    for (int i = 0; i < CAUSES_MAX && at != null; i++, at = at.getCause()) {
      if (at instanceof ModelException known) return known;
      var found = kind(at);
      if (found != null) {
        kind = found;
        break;
      }
    }
    var what = Secrets.hide(String.valueOf(error.getMessage()));
    return new ModelException(
        kind,
        "Spring AI failed: %s (`%s`).".formatted(what, ref),
        at == null ? null : retryAfter(at),
        error);
  }

  private static @Nullable Kind kind(Throwable error) {
    var message = String.valueOf(error.getMessage());
    int status = status(error);
    if (status > 0) return kind(status, message);
    return switch (error) {
      case SocketTimeoutException _, HttpTimeoutException _, TimeoutException _ -> Kind.TIMEOUT;
      case JacksonException _ -> Kind.MALFORMED;
      case IOException _ -> Kind.TRANSPORT;
      case IllegalArgumentException _, UnsupportedOperationException _ -> Kind.BAD_REQUEST;
      default ->
          switch (error.getClass().getSimpleName()) {
            case "TransientAiException" -> Kind.OVERLOADED;
            case "NonTransientAiException" -> Kind.BAD_REQUEST;
            default -> null;
          };
    };
  }

  static Kind kind(int status, String message) {
    var text = message.toLowerCase(Locale.ROOT);
    if (status == 400 && TOO_LONG.stream().anyMatch(text::contains)) return Kind.CONTEXT_LENGTH;
    return switch (status) {
      case 401, 403 -> Kind.AUTH;
      case 402 -> Kind.QUOTA;
      case 404 -> Kind.UNAVAILABLE;
      case 408, 504 -> Kind.TIMEOUT;
      case 413 -> Kind.TOO_LARGE;
      case 429 -> Kind.RATE_LIMITED;
      default -> status >= 500 ? Kind.OVERLOADED : Kind.BAD_REQUEST;
    };
  }

  // `statusCode()` of the vendors' libraries, `getStatusCode()` of Spring's clients, and the start
  // of the message where Spring AI reads the response itself.
  private static int status(Throwable error) {
    for (var name : List.of("statusCode", "getStatusCode")) {
      var status = asked(error, name);
      if (status instanceof Integer number) return number;
      if (status != null) return number(status.toString());
    }
    return number(String.valueOf(error.getMessage()));
  }

  private static int number(String text) {
    var begin = STATUS.matcher(text);
    return begin.find() ? Integer.parseInt(begin.group(1)) : 0;
  }

  private static @Nullable Duration retryAfter(Throwable error) {
    for (var name : List.of("headers", "getHeaders")) {
      var headers = asked(error, name);
      if (headers == null) continue;
      var seconds = RETRY_AFTER.matcher(headers.toString());
      if (seconds.find()) return Duration.ofSeconds(Integer.parseInt(seconds.group(1)));
    }
    return null;
  }

  private static @Nullable Object asked(Throwable error, String name) {
    try {
      return error.getClass().getMethod(name).invoke(error);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException _) {
      return null;
    }
  }
}
