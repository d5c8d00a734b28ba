package dev.superstep.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.message.AssistantMessage;
import dev.superstep.message.Message;
import dev.superstep.message.ToolCall;
import dev.superstep.message.ToolMessage;
import dev.superstep.middleware.AgentContext;
import dev.superstep.middleware.Middleware;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.ScriptedModel;
import dev.superstep.state.Channel;
import dev.superstep.tool.Tool;
import dev.superstep.tool.ToolResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Arguments that were checked are not read a second time, and changed ones are checked again.
class CheckedOnceTest {
  private static final AtomicInteger READ = new AtomicInteger();

  record Sum(int a, int b) {
    Sum {
      READ.incrementAndGet();
    }
  }

  record Words(List<String> words) {}

  private static ToolCall call(String id, String tool, String arguments) {
    return new ToolCall(id, tool, arguments);
  }

  @Test
  void arguments_are_read_once() throws Exception {
    READ.set(0);
    var add = Tool.of("add", "Adds.", Sum.class, (n, _) -> "" + (n.a() + n.b()));
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "add", "{\"a\":1,\"b\":2}")),
            ScriptedModel.text("It is 3."));
    var result = Agent.named("adder").model(model).tools(add).build().run("Add.");
    assertThat(result.answer()).isEqualTo("It is 3.");
    assertThat(READ).hasValue(1);
  }

  @Test
  void calls_with_the_same_arguments_share_no_value() throws Exception {
    var seen = new ArrayList<Integer>();
    var tool =
        Tool.of(
            "count",
            "Counts.",
            Words.class,
            (given, _) -> {
              synchronized (seen) {
                seen.add(given.words().size());
                given.words().add("mine");
              }
              return "counted";
            });
    var arguments = "{\"words\":[\"one\"]}";
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "count", arguments), call("c2", "count", arguments)),
            ScriptedModel.calls(call("c3", "count", arguments)),
            ScriptedModel.text("Done."));
    Agent.named("counter").model(model).tools(tool).build().run("Count.");
    assertThat(seen).containsExactly(1, 1, 1);
  }

  @Test
  void a_call_that_is_made_twice_gets_a_value_of_its_own_each_time() throws Exception {
    var seen = new ArrayList<Integer>();
    var tool =
        Tool.of(
            "count",
            "Counts.",
            Words.class,
            (given, _) -> {
              seen.add(given.words().size());
              given.words().add("mine");
              return "counted";
            });
    var twice =
        new Middleware() {
          @Override
          public ToolResult aroundTool(ToolCall call, AgentContext context, ToolNext next)
              throws Exception {
            next.call(call);
            return next.call(call);
          }
        };
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "count", "{\"words\":[\"one\"]}")),
            ScriptedModel.text("Done."));
    Agent.named("counter").model(model).tools(tool).middleware(twice).build().run("Count.");
    assertThat(seen).containsExactly(1, 1);
  }

  @Test
  void a_conversation_that_was_changed_in_its_middle_is_completed_again() throws Exception {
    var channel = new AtomicReference<@Nullable Channel<List<Message>, Message>>();
    var requests = new ArrayList<ChatRequest>();
    var changing =
        new Middleware() {
          @Override
          public ToolResult afterTool(ToolCall call, ToolResult result, AgentContext context) {
            if (!call.id().equals("c2")) return result;
            for (var message : context.conversation()) {
              if (message instanceof AssistantMessage reply && reply.calls().size() == 1) {
                var calls = new ArrayList<>(reply.calls());
                calls.add(call("c9", "look", "{}"));
                if (reply.calls().getFirst().id().equals("c1")) {
                  context.write(channel.get(), reply.withCalls(calls));
                }
              }
            }
            return result;
          }

          @Override
          public ChatRequest beforeModel(ChatRequest request, AgentContext context) {
            requests.add(request);
            return request;
          }
        };
    record None() {}
    var look = Tool.of("look", "Looks.", None.class, (_, _) -> "seen");
    var model =
        ScriptedModel.replying(
            ScriptedModel.calls(call("c1", "look", "{}")),
            ScriptedModel.calls(call("c2", "look", "{}")),
            ScriptedModel.text("Done."));
    var agent = Agent.named("looker").model(model).tools(look).middleware(changing).build();
    channel.set(agent.messages());
    agent.run("Look.");
    var answered =
        requests.getLast().messages().stream()
            .filter(ToolMessage.class::isInstance)
            .map(message -> ((ToolMessage) message).callId())
            .toList();
    assertThat(answered).containsExactly("c1", "c9", "c2");
  }
}
