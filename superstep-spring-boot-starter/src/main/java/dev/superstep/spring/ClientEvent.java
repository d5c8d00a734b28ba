package dev.superstep.spring;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.superstep.checkpoint.Interrupt;
import dev.superstep.json.Codec;
import dev.superstep.json.Json;

/// A fact about a run that the client of a stream is told. It has what models say and people are
/// asked, and nothing of the state, of arguments and results of tools, or of messages of errors.
public sealed interface ClientEvent {
  /// The name of the server-sent event.
  default String name() {
    return switch (this) {
      case Started _ -> "started";
      case Text _ -> "text";
      case Retracted _ -> "retracted";
      case Kept _ -> "kept";
      case ToolStarted _ -> "tool.started";
      case ToolEnded _ -> "tool.ended";
      case Question _ -> "question";
      case Answered _ -> "answered";
      case Ended _ -> "ended";
    };
  }

  /// The data of the server-sent event.
  default Json data() {
    return Codec.of(ClientEvent.class).encode(this);
  }

  /// `started`: a run is at work.
  ///
  /// @param resumed whether it continues one that ended before: what was said in tasks that were
  ///   not `kept` by then is void
  @JsonTypeName("started")
  record Started(String run, boolean resumed) implements ClientEvent {}

  /// `text`: a model says something. Void if its task is retracted.
  ///
  /// @param call counts the messages of a task
  @JsonTypeName("text")
  record Text(String task, int call, String agent, String text) implements ClientEvent {}

  /// `retracted`: a task is tried again, and all that was said in it is void.
  @JsonTypeName("retracted")
  record Retracted(String task) implements ClientEvent {}

  /// `kept`: a task has ended and is saved; what was said in it stays.
  @JsonTypeName("kept")
  record Kept(String task) implements ClientEvent {}

  /// `tool.started`: a tool is called.
  @JsonTypeName("tool.started")
  record ToolStarted(String call, String tool) implements ClientEvent {}

  /// `tool.ended`: a tool call has a result.
  ///
  /// @param ok false if the result is an error
  @JsonTypeName("tool.ended")
  record ToolEnded(String call, String tool, boolean ok) implements ClientEvent {}

  /// `question`: somebody is asked, and the question is saved.
  ///
  /// @param id names the question in the answer
  /// @param question its kind
  /// @param answerType the type of the answer
  @JsonTypeName("question")
  record Question(String id, String question, String answerType, Json payload)
      implements ClientEvent {
    static Question of(Interrupt asked) {
      return new Question(asked.id(), asked.question(), asked.answerType(), asked.payload());
    }
  }

  /// `answered`: an answer is saved.
  @JsonTypeName("answered")
  record Answered(String id) implements ClientEvent {}

  /// `ended`: the run is over; close the stream.
  ///
  /// @param code of the failure, or the reason of a stop; empty otherwise
  @JsonTypeName("ended")
  record Ended(How how, String code) implements ClientEvent {}

  /// The end of a run.
  enum How {
    /// There is nothing left to do.
    COMPLETED,
    /// It waits for answers.
    WAITING,
    /// It was stopped, and can be resumed.
    STOPPED,
    /// It failed, and can be resumed.
    FAILED
  }
}
