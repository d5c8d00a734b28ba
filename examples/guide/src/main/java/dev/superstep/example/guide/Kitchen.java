package dev.superstep.example.guide;

import static dev.superstep.board.TaskStatus.AWAITING_APPROVAL;

import dev.superstep.agent.Agent;
import dev.superstep.board.Board;
import dev.superstep.board.BoardPolicy;
import dev.superstep.board.BoardTools;
import dev.superstep.board.ClaimLost;
import dev.superstep.board.IllegalTransition;
import dev.superstep.board.NewTask;
import dev.superstep.message.ToolCall;
import dev.superstep.model.ScriptedModel;
import dev.superstep.store.InMemoryStore;
import java.time.Duration;
import java.time.Instant;

/// A board that people and an agent share. The model is scripted.
public final class Kitchen {
  private Kitchen() {}

  public static void main(String[] args) throws InterruptedException {
    var policy = BoardPolicy.standard().approving(task -> task.title().startsWith("Buy"));
    var board = Board.named("kitchen", InMemoryStore.open()).policy(policy);
    board.add(NewTask.of("Bake bread").submitted());
    board.add(NewTask.of("Buy an oven").submitted());

    var claim = board.claim("ann").orElseThrow();
    board.block(claim, "no oven");
    try {
      board.claim("bob", "t2");
    } catch (IllegalTransition e) {
      System.out.println(e.getMessage());
    }
    for (var task : board.tasks(AWAITING_APPROVAL)) board.approve(task.id(), "the boss");

    cook(board).run("Do what there is to do.");
    show(board);

    board.unblock("t1");
    var dead = board.claim("carl").orElseThrow();
    var later = board.clock(() -> Instant.now().plus(Duration.ofMinutes(10)));
    System.out.println("reclaimed: " + later.reclaim().getFirst().reason());
    later.finish(later.claim("ann").orElseThrow(), "a loaf");
    try {
      later.finish(dead, "a burnt loaf");
    } catch (ClaimLost e) {
      System.out.println(e.getMessage());
    }
    show(board);
  }

  private static Agent<String> cook(Board board) {
    var buy = new ToolCall("c1", "board_claim", "{}");
    var done = new ToolCall("c2", "board_finish", "{\"task\":\"t2\",\"result\":\"a gas oven\"}");
    var clean = "{\"title\":\"Clean the oven\",\"details\":\"\"}";
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(buy),
            ScriptedModel.calls(done),
            ScriptedModel.calls(new ToolCall("c3", "board_add", clean)),
            ScriptedModel.text("It is here."));
    return Agent.named("cook").model(model).middleware(BoardTools.of(board, "cook")).build();
  }

  private static void show(Board board) {
    for (var task : board.tasks()) {
      System.out.println(
          "%s %s: %s %s%s"
              .formatted(task.id(), task.title(), task.status(), task.reason(), task.result())
              .strip());
    }
  }
}
