/// A bridge to Spring AI in both directions, and its beans in applications of Spring Boot.
///
/// Start at [dev.superstep.spring.ai.FromSpringAi] to use its models and tools here, at
/// [dev.superstep.spring.ai.ForSpringAi] to use ours there.
@org.jspecify.annotations.NullMarked
open module dev.superstep.spring.ai {
  requires transitive dev.superstep.agent;
  requires transitive spring.ai.model;
  requires transitive spring.ai.commons;
  requires reactor.core;
  requires org.reactivestreams;
  requires java.net.http;
  requires spring.core;
  requires tools.jackson.databind;
  requires static dev.superstep.spring;
  requires static spring.beans;
  requires static spring.boot;
  requires static spring.boot.autoconfigure;
  requires static spring.context;

  exports dev.superstep.spring.ai;
}
