/// Beans of Superstep for applications of Spring Boot.
@org.jspecify.annotations.NullMarked
package dev.superstep.spring;
