package dev.superstep.agent.status;

import dev.superstep.model.Usage;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The status of a run of an agent, for a list that a person looks at. It is made of events alone:
/// it holds ids, names, counts and times, and no text of prompts, answers, arguments, results or
/// errors. Immutable.
///
/// @param run the agent's own id; empty if its start is not among the events
/// @param parent that of the agent which called it; empty if none did
/// @param root that of the outermost agent
/// @param agent its name
/// @param place where it is at work
/// @param phase what it does
/// @param active the calls that have not been answered, oldest first
/// @param usage what its own model calls took; once it has ended also what the agents took that it
///   called
/// @param cost what its own model calls cost, if any has a known price
/// @param code of the error, if it failed
public record AgentStatus(
    String run,
    String parent,
    String root,
    String agent,
    Place place,
    Stage stage,
    Phase phase,
    Counters counters,
    List<ActiveCall> active,
    Usage usage,
    Optional<BigDecimal> cost,
    Times times,
    Optional<String> code) {
  public AgentStatus {
    active = List.copyOf(active);
  }

  /// The stage of an agent's run, or its end.
  public enum Stage {
    /// Another agent has called it, and it has not begun.
    PENDING,
    /// It is at work, as far as is known.
    RUNNING,
    /// It has asked a question, and others of its run are still at work.
    WAITING,
    /// Its run has ended with a question that is open.
    INTERRUPTED,
    /// It was cancelled or is at a limit, and only ends what it has begun.
    DRAINING,
    /// It has an answer, or gave up with a partial result.
    COMPLETED,
    /// It failed. If its thread is stored, it can be resumed.
    FAILED,
    /// It was stopped. If its thread is stored, it can be resumed.
    CANCELLED;

    /// Returns true if the run is over, as far as is known.
    public boolean hasEnded() {
      return switch (this) {
        case COMPLETED, FAILED, CANCELLED -> true;
        case PENDING, RUNNING, WAITING, INTERRUPTED, DRAINING -> false;
      };
    }
  }

  /// The activity of an agent.
  public enum Phase {
    /// It begins.
    STARTING,
    /// It has taken the conversation so far from its thread.
    LOADING_MEMORY,
    /// It makes up what its model is asked.
    BUILDING_PROMPT,
    /// Its model is asked.
    CALLING_MODEL,
    /// It looks at what its model said.
    VALIDATING_STRUCTURED_OUTPUT,
    /// Its tools, and agents that it called, are at work.
    CALLING_TOOLS,
    /// It makes its conversation shorter.
    SUMMARIZING,
    /// It keeps what it added to the conversation.
    SAVING_MEMORY,
    /// It has ended.
    COMPLETED,
    /// It has failed.
    FAILED,
    /// It was stopped.
    CANCELLED
  }

  /// Where an agent is at work.
  ///
  /// @param thread the thread, if its run is saved
  /// @param graphRun the run of the graph that it is, or is a part of
  /// @param path the nodes that lead to its graph, outermost first
  public record Place(Optional<String> thread, String graphRun, List<String> path) {
    public Place {
      path = List.copyOf(path);
    }
  }

  /// The counts of calls, retries and questions.
  ///
  /// @param modelCalls replies of models
  /// @param toolCalls calls of tools that have a result, errors included
  /// @param toolErrors those of them that are errors
  /// @param agentCalls calls of other agents
  /// @param retries how often a model or a node was tried again
  /// @param questions how often a person was asked
  public record Counters(
      int modelCalls, int toolCalls, int toolErrors, int agentCalls, int retries, int questions) {
    static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0);

    Counters plus(Counters more) {
      return new Counters(
          modelCalls + more.modelCalls,
          toolCalls + more.toolCalls,
          toolErrors + more.toolErrors,
          agentCalls + more.agentCalls,
          retries + more.retries,
          questions + more.questions);
    }
  }

  /// A call that has not been answered.
  ///
  /// @param id of the call; of a model, its URL
  /// @param task that makes it
  public record ActiveCall(What what, String id, String name, String task, Instant since) {
    /// The kind of callee.
    public enum What {
      /// A model.
      MODEL,
      /// A tool.
      TOOL,
      /// Another agent.
      AGENT
    }
  }

  /// When.
  ///
  /// @param lastEvent the sequence of the last event that it knows; in a journal, the offset
  public record Times(Instant began, Instant last, Optional<Instant> ended, long lastEvent) {}

  /// Returns true if the run is over, as far as is known.
  public boolean hasEnded() {
    return stage.hasEnded();
  }
}
