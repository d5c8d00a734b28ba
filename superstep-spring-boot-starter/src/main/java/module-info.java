/// Agents and graphs in applications of Spring Boot 4: stores, models, tools, streams, health and
/// metrics by properties.
///
/// Start at [dev.superstep.spring.Runs], and at [dev.superstep.spring.RunStreams] to stream to
/// browsers ([dev.superstep.spring.ReactiveRunStreams] in WebFlux).
@org.jspecify.annotations.NullMarked
open module dev.superstep.spring {
  requires transitive dev.superstep.starter;
  requires com.fasterxml.jackson.annotation;
  requires java.sql;
  requires org.slf4j;
  requires transitive spring.boot;
  requires transitive spring.boot.autoconfigure;
  requires transitive spring.context;
  requires transitive spring.beans;
  requires spring.core;
  requires spring.aop;
  requires static spring.web;
  requires static spring.webmvc;
  requires static spring.boot.health;
  requires static micrometer.core;
  requires static reactor.core;
  requires static spring.test;
  requires static spring.boot.test;
  requires static spring.boot.test.autoconfigure;
  requires static org.junit.jupiter.api;
  requires static dev.superstep.testkit;

  exports dev.superstep.spring;
  exports dev.superstep.spring.test;
}
