package dev.superstep.checkpoint;

import dev.superstep.json.Json;

/// A question that a node asked and that a person, or another program, has to answer before the
/// node continues. It is stored, so it may be answered days later from another process.
///
/// @param id unique in its thread; an answer names it
/// @param task the task that asked
/// @param node the node that asked
/// @param index the number of the question within its task, from 0; each step counts its own
/// @param point where in the node it was asked: the path of the step, or empty outside of steps;
///   `~f0.2` in it is item 2 of the first [dev.superstep.graph.Parallel] there; for a question that
///   was returned, the point where the node continues
/// @param question the name of the [dev.superstep.node.Question]
/// @param answerType the type of the answer, as its codec names it
/// @param payload what is asked
public record Interrupt(
    String id,
    String task,
    String node,
    int index,
    String point,
    String question,
    String answerType,
    Json payload) {
  /// Returns a copy that asks something else.
  public Interrupt withPayload(Json other) {
    return new Interrupt(id, task, node, index, point, question, answerType, other);
  }

  /// Returns a copy that is asked by another question, to which the same answers are given.
  public Interrupt asked(String by, String answer) {
    return new Interrupt(id, task, node, index, point, by, answer, payload);
  }

  /// Returns a copy that another task asks.
  Interrupt withTask(String other) {
    return new Interrupt(id, other, node, index, point, question, answerType, payload);
  }
}
