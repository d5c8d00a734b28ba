package dev.superstep.mcp;

import dev.superstep.budget.Ledger;
import dev.superstep.json.Json;
import dev.superstep.mcp.internal.question.BudgetedSampler;
import dev.superstep.model.ChatModel;

/// Asks a model for a server. Without one, servers are refused. Safe for many threads.
@FunctionalInterface
public interface McpSampler {
  /// Answers `sampling/createMessage`.
  ///
  /// @param server the name of the server that asks
  /// @param request its parameters, as the server wrote them: not to be trusted
  /// @return the result as the protocol has it: role, content and model
  Json answer(String server, Json request) throws Exception;

  /// Asks a model with texts alone, and spends from a ledger. Give the run the same one by
  /// `Agent.LEDGER`, and both share its budget.
  ///
  /// @param tokensMax the longest answer
  static McpSampler of(ChatModel model, Ledger ledger, int tokensMax) {
    if (tokensMax < 1) {
      throw new IllegalArgumentException("tokensMax must be at least 1, was " + tokensMax);
    }
    return new BudgetedSampler(model, ledger, tokensMax)::answer;
  }
}
