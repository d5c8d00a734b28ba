package dev.superstep.bench;

import dev.superstep.bench.limit.GuardedLimitChild;
import dev.superstep.bench.limit.LimitChild;
import dev.superstep.bench.workload.SuperstepChild;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// One system, ready to run or not. Immutable.
///
/// @param ready how it is run, or why it cannot be
record Side(Contender system, Ready ready) {
  /// Whether a system can be run.
  sealed interface Ready {
    /// A command that takes workload, case, repetitions and the time to warm up.
    ///
    /// @param jvm how a JVM is started if it is one, to which its options are added
    record Command(List<String> jvm, List<String> program) implements Ready {
      public Command {
        jvm = List.copyOf(jvm);
        program = List.copyOf(program);
      }
    }

    /// It cannot be had.
    record Absent(String reason) implements Ready {}
  }

  /// Gets a system, which for a peer may mean to build it.
  static Side of(Contender system, Path home, Options options)
      throws IOException, InterruptedException {
    var peers = new Peers(home.resolve("bench/peers"), !options.quick() || options.systemsNamed());
    return new Side(
        system,
        switch (system) {
          case SUPERSTEP -> jvm(System.getProperty("java.class.path"), SuperstepChild.class);
          case LIMIT -> jvm(System.getProperty("java.class.path"), LimitChild.class);
          case GUARDED_LIMIT -> jvm(System.getProperty("java.class.path"), GuardedLimitChild.class);
          case LANGGRAPH4J, LANGCHAIN4J, SPRING_AI_ALIBABA, ADK, LANGGRAPHJS, LANGGRAPH ->
              peers.get(system);
        });
  }

  /// A program on this very JVM. All have the same options.
  static Ready.Command jvm(String classPath, Class<?> main) {
    return jvm(classPath, main.getName());
  }

  static Ready.Command jvm(String classPath, String main) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new Ready.Command(
        List.of(java, "-Xmx4g", "--enable-native-access=ALL-UNNAMED"),
        List.of("-cp", classPath, main));
  }
}
