package dev.superstep.example.migration.springai.before;

import org.springframework.ai.chat.client.ChatClient;

/// A writer and a critic that take turns until the critic is content.
public final class Slogan {
  record Verdict(boolean good, String advice) {}

  private static final int ROUNDS_MAX = 5;

  private Slogan() {}

  public static void main(String[] args) {
    var writer =
        ChatClient.builder(
                new ScriptedModel(
                    ScriptedModel.text("Our lamps are very good lamps."),
                    ScriptedModel.text("Light that lasts.")))
            .defaultSystem("Write a slogan.")
            .build();
    var critic =
        ChatClient.builder(
                new ScriptedModel(
                    ScriptedModel.text("{\"good\": false, \"advice\": \"Shorter.\"}"),
                    ScriptedModel.text("{\"good\": true, \"advice\": \"\"}")))
            .defaultSystem("Judge the slogan.")
            .build();
    System.out.println(improve(writer, critic, "a lamp shop"));
  }

  private static String improve(ChatClient writer, ChatClient critic, String task) {
    var advice = "";
    var slogan = "";
    for (int round = 0; round < ROUNDS_MAX; round++) {
      slogan = writer.prompt().user(task + "\n" + advice).call().content();
      var verdict = critic.prompt().user(slogan).call().entity(Verdict.class);
      System.out.println(slogan + (verdict.good() ? " Good." : " " + verdict.advice()));
      if (verdict.good()) break;
      advice = verdict.advice();
    }
    return slogan;
  }
}
