package dev.superstep.credential;

import dev.superstep.json.Json;
import dev.superstep.json.SuperstepException;
import dev.superstep.message.Content;
import dev.superstep.tool.ToolResult;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/// Takes a secret out of what a tool gives back, such as the echo of a service. Immutable.
record SecretScrubber(String secret, String quoted, String encoded) {
  private static final String HIDDEN = "[hidden]";
  private static final int ERRORS_MAX = 500;

  static SecretScrubber of(Credential credential) {
    var text = Json.string(credential.secret()).text();
    var encoded = URLEncoder.encode(credential.secret(), StandardCharsets.UTF_8);
    return new SecretScrubber(credential.secret(), text.substring(1, text.length() - 1), encoded);
  }

  /// Hides nothing of it.
  @Override
  public String toString() {
    return "SecretScrubber[]";
  }

  String text(String text) {
    return text.replace(secret, HIDDEN).replace(quoted, HIDDEN).replace(encoded, HIDDEN);
  }

  private boolean isIn(String text) {
    return text.contains(secret) || text.contains(quoted) || text.contains(encoded);
  }

  /// A result without the secret; the same if it has none.
  Object result(Object result) {
    return switch (result) {
      case String text -> text(text);
      case Json json -> json(json);
      case ToolResult made -> result(made);
      default -> other(result);
    };
  }

  ToolResult result(ToolResult made) {
    var content = made.content().stream().map(this::part).toList();
    Optional<Json> artifact = made.artifact().map(this::json);
    if (content.equals(made.content()) && artifact.equals(made.artifact())) return made;
    return new ToolResult(content, made.error(), artifact, made.patch(), made.isFinal());
  }

  private Content part(Content part) {
    return switch (part) {
      case Content.Text(var text) -> new Content.Text(text(text));
      case Content.Data(var json) -> new Content.Data(json(json));
      case Content.ImageLink(var url) -> link(part, url);
      case Content.FileLink(_, var url) -> link(part, url);
      default -> part;
    };
  }

  /// A link that tells the secret as a text, since it leads nowhere without it.
  private Content link(Content part, URI url) {
    var text = url.toString();
    return isIn(text) ? new Content.Text(text(text)) : part;
  }

  private Json json(Json json) {
    if (!isIn(json.text())) return json;
    var hidden = text(json.text());
    try {
      return Json.parse(hidden);
    } catch (SuperstepException _) {
      return Json.string(hidden); // the secret was part of a number
    }
  }

  private Object other(Object result) {
    try {
      var json = Json.of(result);
      return isIn(json.text()) ? json(json) : result;
    } catch (SuperstepException _) {
      return result; // what cannot be written is refused later, by its type
    }
  }

  /// Returns the exception, or if anything of it tells the secret, one that does not.
  Exception exception(Exception exception) {
    if (!tells(exception)) return exception;
    var hidden = hiddenMessage(exception);
    return withTrace(
        exception instanceof InterruptedException
            ? new InterruptedException(hidden)
            : new IllegalStateException(hidden),
        exception);
  }

  /// Returns the error, or if anything of it tells the secret, one that does not.
  Error error(Error error) {
    return tells(error) ? withTrace(new Error(hiddenMessage(error)), error) : error;
  }

  private String hiddenMessage(Throwable of) {
    return text(String.valueOf(of.getMessage()));
  }

  private static <T extends Throwable> T withTrace(T made, Throwable from) {
    made.setStackTrace(from.getStackTrace());
    return made;
  }

  /// Looks at the error, its causes and what was suppressed, and at theirs. Of more errors than
  /// anybody would read, it is taken to tell the secret.
  private boolean tells(Throwable error) {
    var seen = Collections.<Throwable>newSetFromMap(new IdentityHashMap<>());
    var next = new ArrayDeque<Throwable>();
    next.add(error);
    while (!next.isEmpty()) {
      var at = next.remove();
      if (!seen.add(at)) continue;
      if (seen.size() > ERRORS_MAX) return true;
      if (isIn(String.valueOf(at.getMessage())) || isIn(at.toString())) return true;
      if (at.getCause() != null) next.add(at.getCause());
      next.addAll(List.of(at.getSuppressed()));
    }
    return false;
  }
}
