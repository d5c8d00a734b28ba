package dev.superstep.model.vendor;

import dev.superstep.message.Message;
import dev.superstep.model.ChatModel;
import dev.superstep.model.ChatRequest;
import dev.superstep.model.Environment;
import dev.superstep.model.ModelException;
import dev.superstep.model.ModelRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/// A process with a small heap that asks an [EndlessServer], and prints how each call ended.
final class EndlessReader {
  private static final int AT_ONCE = 64;
  private static final List<String> FLOODS = List.of("line", "blanks", "data", "pings", "text");
  private static final List<String> VENDORS =
      List.of("openai-compatible", "anthropic", "gemini", "mistral", "ollama");

  private EndlessReader() {}

  /// @param args the server, and what is asked of it
  public static void main(String[] args) throws Exception {
    var server = args[0];
    switch (args[1]) {
      case "floods" -> {
        for (var vendor : VENDORS) {
          for (var flood : FLOODS) print(vendor, flood, streamed(server, vendor, flood));
          print(vendor, "whole", whole(server, vendor));
        }
        for (var flood : List.of("calls", "objects")) {
          print("openai-compatible", flood, streamed(server, "openai-compatible", flood));
        }
      }
      case "at-once" -> {
        var ends = new ConcurrentLinkedQueue<String>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
          var all = new ArrayList<Callable<Boolean>>();
          for (int i = 0; i < AT_ONCE; i++) {
            var flood = i % 4 == 0 ? "objects" : "large";
            all.add(() -> ends.add(streamed(server, "openai-compatible", flood)));
          }
          for (var one : threads.invokeAll(all)) one.get();
        }
        ends.forEach(end -> print("openai-compatible", "at once", end));
      }
      default -> throw new IllegalArgumentException(args[1]);
    }
    print("openai-compatible", "after", streamed(server, "openai-compatible", "well"));
  }

  private static void print(String vendor, String flood, String end) {
    System.out.println(vendor + " " + flood + ": " + end);
  }

  private static String streamed(String server, String vendor, String flood) throws Exception {
    return end(() -> model(server, vendor, flood).stream(request(), _ -> {}).message().text());
  }

  private static String whole(String server, String vendor) throws Exception {
    return end(() -> model(server, vendor, "whole").call(request()).message().text());
  }

  private static String end(Callable<String> call) throws Exception {
    try {
      return call.call();
    } catch (ModelException e) {
      return e.code() + " " + e.getMessage();
    }
  }

  private static ChatRequest request() {
    return ChatRequest.of(Message.user("Go.")).withTimeout(Duration.ofMinutes(5));
  }

  private static ChatModel model(String server, String vendor, String flood) {
    var base = "http://" + server + "/" + flood + "/" + vendor;
    var url =
        switch (vendor) {
          case "openai-compatible" -> vendor + "://" + base + "/v1/m";
          // Its URL has no path before the model.
          case "ollama" -> "ollama://" + server + "/" + flood;
          default -> vendor + "://m";
        };
    var settings =
        Map.of(
            "ANTHROPIC_API_KEY", "sk-secret-4711",
            "GEMINI_API_KEY", "sk-secret-4711",
            "MISTRAL_API_KEY", "sk-secret-4711",
            "SUPERSTEP_ANTHROPIC_BASE_URL", base + "/v1",
            "SUPERSTEP_GEMINI_BASE_URL", base + "/v1beta",
            "SUPERSTEP_MISTRAL_BASE_URL", base + "/v1",
            "SUPERSTEP_REPLY_RECEIVED_MAX", "40000000");
    return VendorModels.open(ModelRef.parse(url), Environment.of(settings));
  }
}
