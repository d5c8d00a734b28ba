package dev.superstep.testkit.model;

import dev.superstep.json.Json;
import java.util.List;

/// The form of answers in one vendor's protocol: the part in which fake vendors differ.
public interface WireFormat {
  /// The type of a streamed body.
  default String streamType() {
    return "text/event-stream";
  }

  /// Returns true if a request asks for a stream.
  default boolean isStream(String path, String body) {
    return body.replaceAll("\\s", "").contains("\"stream\":true");
  }

  /// The documented rules of the vendor that a request breaks, in the words of its refusals. A
  /// [ModelServer] answers such a request with the first of them, and status 400.
  ///
  /// @param said what the server has answered so far
  default List<String> refusals(String path, String body, List<Answer.Says> said) {
    return List.of();
  }

  /// A whole reply with the usage [Answer#USAGE].
  String whole(Answer.Says reply);

  /// A streamed reply with the usage [Answer#USAGE], in the parts that are sent one by one.
  /// Arguments of tool calls are cut in two where the protocol allows it.
  List<String> parts(Answer.Says reply);

  /// The parts up to and including one piece of text.
  List<String> opening(String piece);

  /// A part of a stream that reports an overload of the vendor's.
  String overload(String message);

  /// An error in the body of a reply with that status.
  String error(int status, String message);

  /// A text as JSON.
  static String quoted(String text) {
    return Json.string(text).text();
  }
}
