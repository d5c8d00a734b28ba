package dev.superstep.board;

import static dev.superstep.board.TaskStatus.AWAITING_APPROVAL;
import static dev.superstep.board.TaskStatus.BLOCKED;
import static dev.superstep.board.TaskStatus.DONE;
import static dev.superstep.board.TaskStatus.READY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.agent.Agent;
import dev.superstep.agent.AgentResult;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.model.ChatReply;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import dev.superstep.testkit.ManualClock;
import dev.superstep.tool.ToolBatch;
import dev.superstep.tool.ToolCaller;
import dev.superstep.tool.Tools;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("T107")
class BoardToolsTest {
  private final ManualClock clock = ManualClock.at("2026-01-02T03:04:05Z");
  private final Board board =
      Board.named("b", InMemoryStore.open())
          .clock(clock)
          .policy(BoardPolicy.standard().approving(task -> task.title().startsWith("Pay")));

  private static ChatReply calls(String tool, String arguments) {
    return ScriptedModel.calls(new ToolCall("c", tool, arguments));
  }

  private List<String> told(ChatReply... script) throws InterruptedException {
    var replies = new ArrayList<>(List.of(script));
    replies.add(ScriptedModel.text("Done."));
    var agent =
        Agent.named("ann")
            .model(ScriptedModel.replying(replies))
            .middleware(BoardTools.of(board, "ann"))
            .build();
    var result = (AgentResult.Answered<String>) agent.run("Work.");
    return results(result.report().conversation());
  }

  private static List<String> results(List<Message> conversation) {
    return conversation.stream()
        .filter(ToolMessage.class::isInstance)
        .map(message -> ((ToolMessage) message).text())
        .toList();
  }

  @Test
  void an_agent_adds_claims_and_finishes_a_task() throws Exception {
    var told =
        told(
            calls("board_add", "{\"title\":\"Bake\",\"details\":\"bread\"}"),
            calls("board_claim", "{}"),
            calls("board_update", "{\"task\":\"t1\",\"says\":\"NOTE\",\"text\":\"in the oven\"}"),
            calls("board_finish", "{\"task\":\"t1\",\"result\":\"a loaf\"}"),
            calls("board_list", "{\"statuses\":[\"DONE\"]}"));
    var task = board.find("t1").orElseThrow();
    assertThat(task)
        .extracting(BoardTask::status, BoardTask::note, BoardTask::result)
        .containsExactly(DONE, "in the oven", "a loaf");
    assertThat(told.getLast()).contains("\"id\":\"t1\"", "\"result\":\"a loaf\"");
  }

  @Test
  void a_task_added_by_an_agent_waits_for_approval_if_the_policy_requires_it() throws Exception {
    var told =
        told(
            calls("board_add", "{\"title\":\"Pay Bob\",\"details\":\"\"}"),
            calls("board_claim", "{}"),
            calls("board_claim", "{\"task\":\"t1\"}"));
    assertThat(board.find("t1").orElseThrow().status()).isEqualTo(AWAITING_APPROVAL);
    assertThat(told.get(1)).isEqualTo("Nothing can be claimed now.");
    assertThat(told.get(2)).contains("is AWAITING_APPROVAL and cannot become IN_PROGRESS");
    board.approve("t1", "the boss");
    told(calls("board_claim", "{}"));
    assertThat(board.claimOf("ann").orElseThrow().id()).isEqualTo("t1");
  }

  @Test
  void no_tool_approves_rejects_or_unblocks() {
    assertThat(BoardTools.of(board, "ann").tools())
        .extracting(tool -> tool.name())
        .containsExactly("board_list", "board_add", "board_claim", "board_update", "board_finish");
  }

  @Test
  void a_task_can_be_blocked_with_a_reason_or_released() throws Exception {
    board.add(NewTask.of("a").submitted());
    told(
        calls("board_claim", "{}"),
        calls("board_update", "{\"task\":\"t1\",\"says\":\"BLOCK\",\"text\":\"no flour\"}"));
    assertThat(board.find("t1").orElseThrow())
        .extracting(BoardTask::status, BoardTask::reason)
        .containsExactly(BLOCKED, "no flour");
    board.unblock("t1");
    told(
        calls("board_claim", "{\"task\":\"t1\"}"),
        calls("board_update", "{\"task\":\"t1\",\"says\":\"RELEASE\",\"text\":\"not mine\"}"));
    assertThat(board.find("t1").orElseThrow())
        .extracting(BoardTask::status, BoardTask::note)
        .containsExactly(READY, "not mine");
  }

  @Test
  void a_call_that_runs_again_does_nothing_twice() throws Exception {
    var tools = ToolBatch.of(ToolCaller.of(Tools.of(BoardTools.of(board, "ann").tools())));
    for (int i = 0; i < 2; i++) {
      tools.run(List.of(new ToolCall("c1", "board_add", "{\"title\":\"a\",\"details\":\"\"}")));
      tools.run(List.of(new ToolCall("c2", "board_claim", "{}")));
    }
    assertThat(board.tasks()).hasSize(1);
    assertThat(board.find("t1").orElseThrow().claims()).isEqualTo(1);
    var finish = new ToolCall("c3", "board_finish", "{\"task\":\"t1\",\"result\":\"x\"}");
    var first = tools.run(List.of(finish)).getFirst();
    assertThat(first.text()).contains("DONE");
    assertThat(tools.run(List.of(finish)).getFirst()).isEqualTo(first);
  }

  @Test
  void an_unclaimed_task_cannot_be_finished() throws Exception {
    board.add(NewTask.of("a").submitted());
    var told = told(calls("board_finish", "{\"task\":\"t1\",\"result\":\"x\"}"));
    assertThat(told.getFirst()).contains("`ann` does not have task `t1`");
    board.claim("bob");
    told = told(calls("board_finish", "{\"task\":\"t1\",\"result\":\"x\"}"));
    assertThat(told.getFirst()).contains("`ann` does not have task `t1`");
  }

  @Test
  void every_turn_of_an_agent_is_a_heartbeat() throws Exception {
    board.add(NewTask.of("a").submitted());
    board.claim("ann");
    for (int i = 0; i < 3; i++) {
      clock.advance(Duration.ofMinutes(4));
      told();
    }
    assertThat(board.reclaim()).isEmpty();
    clock.advance(Duration.ofMinutes(6));
    assertThat(board.reclaim()).hasSize(1);
  }
}
