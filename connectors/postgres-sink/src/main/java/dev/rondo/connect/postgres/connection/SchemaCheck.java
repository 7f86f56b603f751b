package dev.rondo.connect.postgres.connection;

import dev.rondo.connect.postgres.config.ConfigFault;
import dev.rondo.connect.postgres.config.PostgresSinkConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Checks that a database has the tables of the migrations, and the role its rights on them. */
final class SchemaCheck {
  /** Tables with their missing rights, or with the schemas that have a table of this name. */
  static final String TABLES =
      """
      select name, to_regclass(name) is null as missing,
        (select string_agg(format('%I', nspname), ', ' order by nspname)
         from pg_class join pg_namespace n on n.oid = relnamespace
         where relname = name and relkind in ('r', 'p')) as schemas,
        (select string_agg(right_, ', ' order by nr)
         from unnest(needed) with ordinality as r (right_, nr)
         where not has_table_privilege(to_regclass(name), right_)) as rights
      from (values
        ('ds', array['select', 'insert', 'update', 'delete']),
        ('ts', array['select', 'insert', 'update']),
        ('rra_bundle', array['select', 'insert', 'update']),
        ('location_period', array['select', 'delete']),
        ('event', array['select', 'insert', 'delete']),
        ('applied_offset', array['select', 'insert', 'update'])
      ) as tables (name, needed)
      where name <> 'applied_offset' or to_regclass(name) is not null -- of a later migration
      order by name
      """;

  /** Columns and functions that the sink's statements use and that are missing. */
  static final String PARTS =
      """
      select tab || '.' || col from (values
        ('ds', 'ident'), ('ds', 'policy'), ('ds', 'seg'), ('ds', 'pos'), ('ds', 'starts_at'),
        ('ds', 'period'), ('ds', 'source'), ('location_period', 'displaced_ident'),
        ('location_period', 'renamed_from'),
        ('ts', 'rra_bundle_id'), ('ts', 'seg'), ('ts', 'i'), ('ts', 't'), ('ts', 'dp'),
        ('rra_bundle', 'id'), ('rra_bundle', 'policy'), ('rra_bundle', 'cf'),
        ('rra_bundle', 'step_ms'), ('rra_bundle', 'size'), ('rra_bundle', 'width'),
        ('rra_bundle', 'xff'), ('rra_bundle', 'whisper'), ('rra_bundle', 'aggregate'),
        ('rra_bundle', 'first'), ('rra_bundle', 'latest'), ('applied_offset', 'next_offset'),
        ('event', 'origin')
      ) as needed (tab, col)
      where not exists (
        select from pg_attribute
        where attrelid = to_regclass(tab) and attname = col and not attisdropped)
      union all
      select 'function ' || needed.name from (values ('rondo_merge'), ('rondo_rename_series')) as needed (name)
      where not exists (
        select from pg_proc where proname = needed.name and pg_function_is_visible(oid))
      """;

  /** Functions that the role may not execute. */
  static final String EXECUTION =
      """
      select distinct proname from pg_proc
      where proname in ('rondo_merge', 'rondo_rename_series') and pg_function_is_visible(oid)
        and not has_function_privilege(oid, 'execute')
      """;

  private SchemaCheck() {}

  /**
   * Returns what is missing; empty when nothing is.
   *
   * @param address address of the database, for messages
   */
  static List<ConfigFault> faults(Connection connection, String address) throws SQLException {
    var faults = new ArrayList<ConfigFault>();
    try (PreparedStatement statement = connection.prepareStatement(TABLES);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        ConfigFault fault = fault(result, address);
        if (fault != null) {
          faults.add(fault);
        }
      }
    }
    if (faults.isEmpty()) {
      faults.addAll(parts(connection, address));
    }
    if (faults.isEmpty()) {
      faults.addAll(executions(connection, address));
    }
    return faults;
  }

  private static ConfigFault fault(ResultSet table, String address) throws SQLException {
    String name = table.getString("name");
    String schemas = table.getString("schemas");
    if (table.getBoolean("missing")) {
      String advice =
          schemas == null
              ? "run the migrations (schemas/sql) there, or use another database"
              : "the schema %s has one: set currentSchema, or grant usage on it".formatted(schemas);
      return new ConfigFault(
          PostgresSinkConfig.CONNECTION_URL,
          "%s has no table %s; %s".formatted(address, name, advice));
    }
    String rights = table.getString("rights");
    return rights == null
        ? null
        : new ConfigFault(
            PostgresSinkConfig.CONNECTION_USER,
            "on %s this role may not %s %s; grant %s on %s to it"
                .formatted(address, rights, name, rights, name));
  }

  private static List<ConfigFault> parts(Connection connection, String address)
      throws SQLException {
    List<String> missing = names(connection, PARTS);
    return missing.isEmpty()
        ? List.of()
        : List.of(
            new ConfigFault(
                PostgresSinkConfig.CONNECTION_URL,
                "%s lacks %s; run the migrations (schemas/sql) of this version there"
                    .formatted(address, String.join(", ", missing))));
  }

  private static List<ConfigFault> executions(Connection connection, String address)
      throws SQLException {
    return names(connection, EXECUTION).stream()
        .map(
            name ->
                new ConfigFault(
                    PostgresSinkConfig.CONNECTION_USER,
                    ("on %s this role may not execute %s; grant execute on function %s to it, or run"
                            + " schemas/sql/roles.sql of this version")
                        .formatted(address, name, name)))
        .toList();
  }

  private static List<String> names(Connection connection, String sql) throws SQLException {
    var names = new ArrayList<String>();
    try (PreparedStatement statement = connection.prepareStatement(sql);
        ResultSet result = statement.executeQuery()) {
      while (result.next()) {
        names.add(result.getString(1));
      }
    }
    return names;
  }
}
