package dev.superstep.testkit.model;

import dev.superstep.message.ToolCall;
import dev.superstep.model.ChatReply.Finish;
import dev.superstep.model.Usage;
import java.util.List;
import java.util.Map;

/// The reaction of a [ModelServer] to the next request.
public sealed interface Answer {
  /// Usage that shows whether an adapter mixes up its parts.
  Usage USAGE = new Usage(11, 3, 2, 7, 2, false);

  /// A whole reply, or the same in pieces if a stream was asked for.
  ///
  /// @param thoughts what comes before the text, cut as it is streamed
  /// @param pieces the text, cut as it is streamed
  /// @param calls whose seals are sent where the protocol has some
  record Says(List<String> thoughts, List<String> pieces, List<ToolCall> calls, Finish finish)
      implements Answer {
    /// The signature that a vendor attaches to a thought, if it does.
    public static final String SEAL = "c2VhbC0x";

    public Says {
      thoughts = List.copyOf(thoughts);
      pieces = List.copyOf(pieces);
      calls = List.copyOf(calls);
    }

    /// A reply without thoughts.
    public Says(List<String> pieces, List<ToolCall> calls, Finish finish) {
      this(List.of(), pieces, calls, finish);
    }

    /// The thoughts in one piece.
    public String thought() {
      return String.join("", thoughts);
    }

    /// The text in one piece.
    public String text() {
      return String.join("", pieces);
    }
  }

  /// An error before any reply, in the vendor's form.
  record Fails(int status, Map<String, String> headers, String message) implements Answer {
    public Fails {
      headers = Map.copyOf(headers);
    }
  }

  /// A body as it is, with status 200.
  record Sends(String body) implements Answer {}

  /// No answer for as long as the server lives.
  record Hangs() implements Answer {}

  /// The first piece of a stream, then nothing more until [ModelServer#resume].
  record Stalls(String piece) implements Answer {}

  /// The first piece of a stream, then the end of the connection.
  ///
  /// @param abrupt whether the connection is cut instead of ended
  record BreaksOff(String piece, boolean abrupt) implements Answer {}

  /// The first piece of a stream, then an error of the vendor's in place of the rest.
  record GivesUp(String piece, String message) implements Answer {}

  /// Text.
  static Answer text(String... pieces) {
    return new Says(List.of(pieces), List.of(), Finish.STOP);
  }

  /// Tool calls without text.
  static Answer calls(ToolCall... calls) {
    return new Says(List.of(), List.of(calls), Finish.TOOL_CALLS);
  }

  /// An error before any reply.
  static Answer error(int status, String message) {
    return new Fails(status, Map.of(), message);
  }
}
