package dev.superstep.rag.review;

import dev.superstep.node.Question;

/// A text that a model wrote, as whoever reviews it sees it. Immutable.
///
/// @param graph the graph that is to run
/// @param hash what an approval is given for
/// @param by who wrote it
/// @param difference from what is registered under the same name, added capabilities first
/// @param bounds the most that a run can take
/// @param text the whole text as it was understood, without comments: what is not in it does not
///   run
public record Proposal(
    String graph, String hash, String by, String difference, String bounds, String text) {
  /// The question that is asked with a proposal. What counts is the approval in the answer.
  public static final Question<Proposal, Verdict> QUESTION =
      Question.of("rag-proposal", Proposal.class, Verdict.class);
}
