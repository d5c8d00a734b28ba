/// Tests of the agents and graphs of an application, without its web layer, its database and its
/// models.
@org.jspecify.annotations.NullMarked
package dev.superstep.spring.test;
