/// The JSON Schema of what the commands print with `--json`.
///
/// Members are added without a new version; a program skips those that it does not know. A member
/// that goes, or means something else, makes a new version.
enum OutputSchema {
  /// The version.
  static let version = 1

  /// The schema, in the draft of 2020-12: a definition for each command.
  static let text = #"""
    {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "urn:retrace:track:output:1",
      "title": "What the commands of track print with --json, version 1",
      "description": "A command prints values of its definition, a failure on standard error.",
      "$defs": {
        "moment": {
          "type": "string",
          "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$"
        },
        "text": { "type": ["string", "null"] },
        "count": { "type": "integer", "minimum": 0 },
        "notes": { "type": "array", "minItems": 1, "items": { "type": "string" } },
        "entry": {
          "description": "A running entry has no end; its seconds are those until now.",
          "type": "object",
          "properties": {
            "id": { "type": "integer", "minimum": 0, "description": "It never changes." },
            "user": { "type": "string" },
            "description": { "type": "string" },
            "client": { "$ref": "#/$defs/text" },
            "project": { "$ref": "#/$defs/text" },
            "task": { "$ref": "#/$defs/text" },
            "tags": { "type": "array", "items": { "type": "string" } },
            "start": { "$ref": "#/$defs/moment" },
            "end": { "anyOf": [{ "$ref": "#/$defs/moment" }, { "type": "null" }] },
            "zone": { "type": "string", "description": "The time zone in which it was recorded." },
            "utcOffset": {
              "type": "integer",
              "description": "The offset of that zone at the start, in seconds."
            },
            "seconds": {
              "type": "integer",
              "minimum": 0,
              "description": "The duration, rounded down."
            },
            "running": { "type": "boolean" },
            "deleted": { "type": "boolean" },
            "billable": { "type": "boolean" },
            "rate": {
              "type": ["integer", "null"],
              "description": "The price of an hour in hundredths: 8500 for --rate 85."
            },
            "currency": {
              "$ref": "#/$defs/text",
              "description": "The currency of the rate; null without a rate or a workspace."
            },
            "workspace": { "$ref": "#/$defs/text" },
            "annotations": { "type": "array", "items": { "type": "string" } },
            "externalIDs": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": { "source": { "type": "string" }, "id": { "type": "string" } },
                "required": ["source", "id"]
              }
            }
          },
          "required": [
            "id", "user", "description", "client", "project", "task", "tags", "start", "end",
            "zone", "utcOffset", "seconds", "running", "deleted", "billable", "rate",
            "currency", "workspace", "annotations", "externalIDs"
          ]
        },
        "entries": { "type": "array", "items": { "$ref": "#/$defs/entry" } },
        "optionalEntry": { "anyOf": [{ "$ref": "#/$defs/entry" }, { "type": "null" }] },
        "change": {
          "description": "What a change of entries did.",
          "type": "object",
          "properties": {
            "sequence": {
              "$ref": "#/$defs/count",
              "description": "The last record of the change; 0 for a dry run."
            },
            "entry": {
              "$ref": "#/$defs/optionalEntry",
              "description": "The entry that was named or made."
            },
            "stopped": {
              "$ref": "#/$defs/optionalEntry",
              "description": "The entry that a start stopped."
            },
            "adjusted": {
              "$ref": "#/$defs/entries",
              "description": "The other entries that changed."
            },
            "notes": {
              "description": "What is worth knowing about the change; absent if nothing is.",
              "$ref": "#/$defs/notes"
            },
            "dryRun": { "const": true }
          },
          "required": ["sequence", "entry", "stopped", "adjusted"]
        },
        "start": { "$ref": "#/$defs/change" },
        "stop": { "$ref": "#/$defs/change" },
        "switch": { "$ref": "#/$defs/change" },
        "continue": { "$ref": "#/$defs/change" },
        "cancel": { "$ref": "#/$defs/change" },
        "pause": { "$ref": "#/$defs/change" },
        "resume": { "$ref": "#/$defs/change" },
        "add": { "$ref": "#/$defs/change" },
        "edit": { "$ref": "#/$defs/change" },
        "delete": { "$ref": "#/$defs/change" },
        "annotate": { "$ref": "#/$defs/change" },
        "tag": { "$ref": "#/$defs/change" },
        "untag": { "$ref": "#/$defs/change" },
        "move": { "$ref": "#/$defs/change" },
        "lengthen": { "$ref": "#/$defs/change" },
        "shorten": { "$ref": "#/$defs/change" },
        "split": { "$ref": "#/$defs/change" },
        "join": { "$ref": "#/$defs/change" },
        "fill": { "$ref": "#/$defs/change" },
        "undo": {
          "type": "object",
          "properties": {
            "sequence": { "$ref": "#/$defs/count" },
            "changes": {
              "type": "integer",
              "minimum": 1,
              "description": "How many were taken back."
            },
            "entries": { "$ref": "#/$defs/entries" },
            "dryRun": { "const": true }
          },
          "required": ["sequence", "changes", "entries"]
        },
        "redo": { "$ref": "#/$defs/undo" },
        "status": {
          "type": "object",
          "properties": {
            "user": { "type": "string" },
            "running": { "$ref": "#/$defs/optionalEntry" }
          },
          "required": ["user", "running"]
        },
        "log": { "anyOf": [{ "$ref": "#/$defs/entries" }, { "$ref": "#/$defs/totals" }] },
        "search": { "$ref": "#/$defs/entries" },
        "totals": {
          "type": "object",
          "properties": {
            "entries": { "$ref": "#/$defs/count" },
            "running": { "$ref": "#/$defs/count" },
            "seconds": { "type": "integer" },
            "users": { "$ref": "#/$defs/count" },
            "projects": { "$ref": "#/$defs/count" }
          },
          "required": ["entries", "running", "seconds", "users", "projects"]
        },
        "value": {
          "type": "string",
          "description": "The value as text; a start and an end are moments, or running."
        },
        "history": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "sequence": { "$ref": "#/$defs/count" },
              "moment": { "$ref": "#/$defs/moment" },
              "login": { "type": "string" },
              "origin": {
                "enum": ["commandLine", "scene", "importing", "undo", "effect", "program"]
              },
              "restores": { "anyOf": [{ "$ref": "#/$defs/count" }, { "type": "null" }] },
              "undone": { "type": "boolean" },
              "reason": { "type": ["string", "null"] },
              "edits": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "kind": { "type": "string" },
                    "id": { "$ref": "#/$defs/count" },
                    "verb": { "type": "string" },
                    "fields": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "properties": {
                          "name": { "type": "string" },
                          "before": { "$ref": "#/$defs/value" },
                          "after": { "$ref": "#/$defs/value" }
                        },
                        "required": ["name", "before", "after"]
                      }
                    }
                  },
                  "required": ["kind", "id", "verb", "fields"]
                }
              }
            },
            "required": [
              "sequence", "moment", "login", "origin", "restores", "undone", "reason", "edits"
            ]
          }
        },
        "range": {
          "type": "object",
          "properties": {
            "start": { "$ref": "#/$defs/moment" },
            "end": { "anyOf": [{ "$ref": "#/$defs/moment" }, { "type": "null" }] },
            "zone": { "type": "string" }
          },
          "required": ["start", "end", "zone"]
        },
        "sums": {
          "type": "object",
          "properties": {
            "seconds": { "type": "integer" },
            "billableSeconds": { "type": "integer" },
            "amounts": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "currency": { "$ref": "#/$defs/text" },
                  "hundredths": { "type": "integer" }
                },
                "required": ["currency", "hundredths"]
              }
            }
          },
          "required": ["seconds", "billableSeconds", "amounts"]
        },
        "figures": {
          "allOf": [{ "$ref": "#/$defs/sums" }],
          "properties": {
            "entries": { "$ref": "#/$defs/count" },
            "rounded": { "anyOf": [{ "$ref": "#/$defs/sums" }, { "type": "null" }] }
          },
          "required": ["entries", "rounded"]
        },
        "group": {
          "allOf": [{ "$ref": "#/$defs/figures" }],
          "properties": {
            "by": {
              "enum": [
                "workspace", "client", "project", "task", "tag", "each-tag", "user",
                "description", "day", "week", "month"
              ]
            },
            "id": { "type": ["integer", "null"] },
            "name": { "$ref": "#/$defs/text" },
            "names": { "type": "array", "items": { "type": "string" } },
            "deleted": {
              "description": "true if it, or one of several tags, is deleted; else absent.",
              "const": true
            },
            "percent": { "type": "integer" },
            "groups": { "type": "array", "items": { "$ref": "#/$defs/group" } }
          },
          "required": ["by", "id", "percent", "groups"]
        },
        "sections": {
          "type": "object",
          "properties": {
            "version": { "const": 1 },
            "range": { "$ref": "#/$defs/range" },
            "total": { "$ref": "#/$defs/figures" },
            "overlapSeconds": { "type": "integer" },
            "groups": { "type": "array", "items": { "$ref": "#/$defs/group" } }
          },
          "required": ["version", "range", "total", "overlapSeconds", "groups"]
        },
        "goalProgress": {
          "type": "object",
          "properties": {
            "version": { "const": 1 },
            "user": { "type": "string" },
            "goals": { "type": "array", "items": { "$ref": "#/$defs/goalSum" } },
            "balances": {
              "description": "Of each goal with several periods, those that have ended.",
              "type": "array",
              "items": {
                "allOf": [{ "$ref": "#/$defs/goalSum" }],
                "properties": {
                  "periods": { "type": "integer", "minimum": 1 },
                  "balanceSeconds": {
                    "type": "integer",
                    "description": "The seconds beyond the target; negative if they are fewer."
                  }
                },
                "required": ["periods", "balanceSeconds"]
              }
            }
          },
          "required": ["version", "user", "goals", "balances"]
        },
        "goalSum": {
          "type": "object",
          "properties": {
            "id": { "$ref": "#/$defs/count" },
            "name": { "type": "string" },
            "period": { "enum": ["day", "week", "month"] },
            "start": { "$ref": "#/$defs/moment" },
            "end": { "$ref": "#/$defs/moment" },
            "limit": { "type": "boolean" },
            "seconds": { "type": "integer" },
            "targetSeconds": { "type": "integer" },
            "leftSeconds": { "$ref": "#/$defs/count" },
            "overSeconds": { "$ref": "#/$defs/count" },
            "percent": { "type": "integer" }
          },
          "required": [
            "id", "name", "period", "start", "end", "limit", "seconds", "targetSeconds",
            "leftSeconds", "overSeconds", "percent"
          ]
        },
        "report": { "anyOf": [{ "$ref": "#/$defs/sections" }, { "$ref": "#/$defs/goalProgress" }] },
        "periodSections": {
          "allOf": [{ "$ref": "#/$defs/sections" }],
          "properties": {
            "period": { "enum": ["day", "week", "month"] },
            "parts": {
              "description": "The days of one period, or the periods if there are several.",
              "type": "array",
              "items": { "$ref": "#/$defs/group" }
            }
          },
          "required": ["period", "parts"]
        },
        "day": { "$ref": "#/$defs/periodSections" },
        "week": { "$ref": "#/$defs/periodSections" },
        "month": { "$ref": "#/$defs/periodSections" },
        "gaps": {
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "start": { "$ref": "#/$defs/moment" },
              "end": { "$ref": "#/$defs/moment" },
              "seconds": { "$ref": "#/$defs/count" }
            },
            "required": ["start", "end", "seconds"]
          }
        },
        "recorded": {
          "type": "object",
          "properties": {
            "sequence": { "$ref": "#/$defs/count" },
            "dryRun": { "const": true },
            "notes": { "$ref": "#/$defs/notes" }
          },
          "oneOf": [{ "required": ["sequence"] }, { "required": ["dryRun"] }]
        },
        "hours": {
          "description": "Hours and minutes, such as 120:00.",
          "type": "string",
          "pattern": "^\\d+:\\d\\d$"
        },
        "records": {
          "anyOf": [
            { "$ref": "#/$defs/recorded" },
            {
              "description": "What is not set is absent.",
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "id": { "$ref": "#/$defs/count" },
                  "name": { "type": "string" },
                  "archived": { "type": "boolean" },
                  "client": { "type": "string" },
                  "project": { "type": "string" },
                  "tag": { "type": "string" },
                  "workspace": { "type": "string" },
                  "currency": { "type": "string" },
                  "rate": {
                    "description": "The price of an hour, such as 90.00.",
                    "type": "string",
                    "pattern": "^\\d+\\.\\d\\d$"
                  },
                  "billable": { "const": "yes" },
                  "estimate": { "$ref": "#/$defs/hours" },
                  "spent": { "$ref": "#/$defs/hours" },
                  "color": { "type": "string" },
                  "target": { "$ref": "#/$defs/hours" },
                  "each": { "enum": ["day", "week", "month"] },
                  "limit": { "const": "yes" }
                },
                "required": ["id", "name", "archived"]
              }
            }
          ]
        },
        "projects": { "$ref": "#/$defs/records" },
        "clients": { "$ref": "#/$defs/records" },
        "tasks": { "$ref": "#/$defs/records" },
        "tags": { "$ref": "#/$defs/records" },
        "workspaces": { "$ref": "#/$defs/records" },
        "users": { "$ref": "#/$defs/records" },
        "goals": { "$ref": "#/$defs/records" },
        "preferences": {
          "type": "object",
          "properties": {
            "weekStart": { "type": "string" },
            "dayStart": { "type": "string", "pattern": "^\\d\\d:\\d\\d$" },
            "zone": { "$ref": "#/$defs/text" },
            "policy": { "enum": ["refuse", "adjust", "allow"] },
            "sequence": { "$ref": "#/$defs/count" },
            "dryRun": { "const": true }
          },
          "required": ["weekStart", "dayStart", "zone", "policy"]
        },
        "route": {
          "type": "object",
          "properties": {
            "scene": { "$ref": "#/$defs/count" },
            "path": { "type": "string" },
            "stack": { "type": "array", "items": { "type": "string" } }
          },
          "required": ["scene", "path", "stack"]
        },
        "import": {
          "anyOf": [
            { "$ref": "#/$defs/importCounts" },
            {
              "description": "With --acknowledge, the last record of each batch.",
              "type": "object",
              "properties": { "ok": { "$ref": "#/$defs/count" } },
              "required": ["ok"]
            },
            {
              "description": "With --cancel, the file and its rows in the log.",
              "type": "object",
              "properties": {
                "canceled": { "type": "string" },
                "rows": { "$ref": "#/$defs/count" },
                "dryRun": { "const": true }
              },
              "required": ["canceled", "rows"]
            }
          ]
        },
        "differingRow": {
          "type": "object",
          "properties": {
            "entry": { "$ref": "#/$defs/count" },
            "edited": {
              "description": "Whether the entry was changed since its import.",
              "type": "boolean"
            },
            "command": {
              "description": "The words after track that take the values of the row over.",
              "type": "array",
              "items": { "type": "string" }
            },
            "refusal": {
              "description": "With --update, why the command is refused; absent otherwise.",
              "type": "string"
            }
          },
          "required": ["entry", "edited", "command"]
        },
        "importCounts": {
          "type": "object",
          "properties": {
            "created": { "description": "By this run.", "$ref": "#/$defs/count" },
            "resumed": { "description": "By an interrupted run.", "$ref": "#/$defs/count" },
            "skipped": { "$ref": "#/$defs/count" },
            "deleted": { "$ref": "#/$defs/count" },
            "clashing": {
              "description": "Rows whose id an earlier row of the file has, with other values.",
              "$ref": "#/$defs/count"
            },
            "differingCount": { "$ref": "#/$defs/count" },
            "differing": { "type": "array", "items": { "$ref": "#/$defs/differingRow" } },
            "updated": {
              "description": "With --update, the rows whose values the entries got.",
              "type": "array",
              "items": { "$ref": "#/$defs/differingRow" }
            },
            "missing": {
              "description": "With --update, the entries gone from the file if no row is invalid.",
              "type": "array",
              "items": { "$ref": "#/$defs/count" }
            },
            "overlaps": {
              "description": "null with --dry-run.",
              "anyOf": [{ "$ref": "#/$defs/count" }, { "type": "null" }]
            },
            "zeroDurations": { "$ref": "#/$defs/count" },
            "repeatedTimes": {
              "type": "object",
              "properties": {
                "earlier": { "$ref": "#/$defs/count" },
                "later": { "$ref": "#/$defs/count" }
              },
              "required": ["earlier", "later"]
            },
            "rejectedCount": { "$ref": "#/$defs/count" },
            "rejected": {
              "type": "array",
              "items": {
                "type": "object",
                "properties": {
                  "line": { "$ref": "#/$defs/count" },
                  "column": { "$ref": "#/$defs/text" },
                  "value": { "type": "string" },
                  "reason": { "type": "string" }
                },
                "required": ["line", "column", "value", "reason"]
              }
            },
            "running": {
              "description": "The intervals or entries without an end; absent for CSV.",
              "$ref": "#/$defs/count"
            },
            "notes": { "$ref": "#/$defs/notes" },
            "dryRun": { "description": "true with --dry-run, else absent.", "const": true }
          },
          "required": [
            "created", "resumed", "skipped", "deleted", "clashing", "differingCount", "differing",
            "overlaps", "zeroDurations", "repeatedTimes", "rejectedCount", "rejected"
          ]
        },
        "man": {
          "type": "object",
          "properties": { "page": { "type": "string" } },
          "required": ["page"]
        },
        "demo": {
          "type": "object",
          "properties": {
            "store": { "type": "string" },
            "entries": { "$ref": "#/$defs/count" },
            "seed": { "$ref": "#/$defs/count" },
            "dryRun": { "const": true }
          },
          "required": ["store", "entries", "seed"]
        },
        "extension": {
          "description": "The list of extensions; an extension prints what it likes.",
          "type": "array",
          "items": {
            "type": "object",
            "properties": {
              "name": { "type": "string" },
              "path": { "type": "string" },
              "executable": { "type": "boolean" }
            },
            "required": ["name", "path", "executable"]
          }
        },
        "config": {
          "anyOf": [
            {
              "description": "The settings; each says where its value comes from.",
              "type": "object",
              "properties": {
                "version": { "const": 1 },
                "path": { "$ref": "#/$defs/text" },
                "exists": { "type": "boolean" },
                "settings": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "name": { "type": "string" },
                      "value": { "type": "string" },
                      "source": { "enum": ["option", "environment", "file", "default"] },
                      "option": { "type": "string" },
                      "variable": { "type": "string" },
                      "line": { "type": "integer", "minimum": 1 }
                    },
                    "required": ["name", "value", "source"]
                  }
                },
                "filters": {
                  "type": "array",
                  "items": {
                    "type": "object",
                    "properties": {
                      "name": { "type": "string" },
                      "filter": { "type": "string" },
                      "line": { "type": "integer", "minimum": 1 }
                    },
                    "required": ["name", "filter", "line"]
                  }
                }
              },
              "required": ["version", "path", "exists", "settings", "filters"]
            },
            {
              "description": "What path, edit, set and unset print; unset has the value null.",
              "type": "object",
              "properties": {
                "path": { "type": "string" },
                "name": { "type": "string" },
                "value": { "$ref": "#/$defs/text" },
                "notes": { "$ref": "#/$defs/notes" },
                "dryRun": { "const": true }
              },
              "required": ["path"],
              "not": { "required": ["version"] }
            }
          ]
        },
        "failure": {
          "type": "object",
          "properties": {
            "line": { "type": "integer", "minimum": 1, "description": "The line of a batch." },
            "error": {
              "type": "object",
              "properties": {
                "what": { "type": "string" },
                "why": { "type": "string" },
                "do": { "type": "string" },
                "exitCode": { "type": "integer", "minimum": 1 },
                "code": { "type": "string" }
              },
              "required": ["what", "why", "do", "exitCode"]
            }
          },
          "required": ["error"]
        }
      }
    }

    """#
}
