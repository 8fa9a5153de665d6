/// A shell for which a tool has completions.
public enum CompletionShell: String, CaseIterable, Sendable {
  case bash
  case zsh
  case fish
}

/// The script with which a shell completes the words of a tool.
///
/// The script calls a hidden command of the tool, which prints the candidates for the last word. So
/// the script fits every version of the tool. Each line of the output is a candidate, or a tab and
/// the kind of path that the shell completes itself. In zsh and fish, a tab and a meaning may
/// follow a candidate.
///
/// The shell evaluates nothing that the tool prints.
public enum CompletionScript {
  /// The name of the hidden command, before `--` and the words.
  public static var command: String { "__complete" }
  /// The word before `--` that marks the words after it as words of bash, with their quotes.
  public static var quotedWords: String { "bash" }
  /// The line for the path of a file.
  public static var file: String { "\tfile" }
  /// The line for the path of a directory.
  public static var directory: String { "\tdirectory" }

  /// Returns the script of a shell.
  ///
  /// - Parameters:
  ///   - shell: The shell.
  ///   - tool: The name of the tool, which is letters only.
  public static func of(_ shell: CompletionShell, tool: String) -> String {
    let template =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return template.replacing("TOOL", with: tool)
  }

  /// bash passes the line and its words in variables.
  ///
  /// `$2` is the text that readline replaces. It begins after a character such as `=` or `@`.
  private static var bash: String {
    #"""
    # Completes the words of TOOL in bash. Source this file, or store it as
    # PREFIX/share/bash-completion/completions/TOOL.
    _TOOL() {
      local line=${COMP_LINE-} gap word text joined before candidate i
      local -a words=()
      [[ -z ${COMP_POINT-} ]] || line=${line:0:COMP_POINT}
      COMPREPLY=()
      # bash also splits words at signs such as = and @; those without a gap are one word.
      for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]-} gap=' '
        if [[ -n ${COMP_LINE-} ]]; then
          gap=${line%%[![:space:]]*}
          line=${line:${#gap}}
          # The last word ends at the cursor.
          if [[ $line == "$word"* ]]; then line=${line:${#word}}; else word=$line line=; fi
        fi
        if ((i)) && [[ -z $gap ]]; then
          words[${#words[@]}-1]+=$word
        else
          words+=("$word")
        fi
      done
      joined=${words[${#words[@]}-1]}
      text=${2-$word}
      before=${joined%"$text"}
      while IFS= read -r candidate; do
        case $candidate in
          $'\tfile' | $'\tdirectory')
            compopt -o filenames 2>/dev/null
            local action=-f
            [[ $candidate == $'\tfile' ]] || action=-d
            while IFS= read -r candidate; do
              COMPREPLY+=("$candidate")
            done < <(compgen "$action" -- "$text")
            ;;
          "$before"*) COMPREPLY+=("${candidate:${#before}}") ;;
        esac
      done < <(command TOOL __complete bash -- "${words[@]:1}" 2>/dev/null)
    }
    complete -o nosort -F _TOOL TOOL 2>/dev/null || complete -F _TOOL TOOL

    """#
  }

  private static var zsh: String {
    #"""
    #compdef TOOL
    # Completes the words of TOOL in zsh. Store this file as _TOOL in a directory of fpath, such as
    # PREFIX/share/zsh/site-functions, or source it after compinit.
    _TOOL() {
      local line width
      local -a typed candidates shown
      integer longest=0 result=1
      typed=("${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}")
      while IFS= read -r line; do
        case $line in
          $'\tfile') compset -P '--*='; _files && result=0 ;;
          $'\tdirectory') compset -P '--*='; _files -/ && result=0 ;;
          *)
            candidates+=("${line%%$'\t'*}")
            shown+=("$line")
            (( ${#candidates[-1]} > longest )) && longest=${#candidates[-1]}
            ;;
        esac
      done < <(command TOOL __complete -- "${(@)typed}" 2>/dev/null)
      (( ${#candidates} )) || return result
      integer i
      for (( i = 1; i <= ${#shown}; i++ )); do
        width=$longest
        if [[ $shown[i] == *$'\t'* ]]; then
          shown[i]="${(r:$width:)candidates[i]}  -- ${shown[i]#*$'\t'}"
        else
          shown[i]=$candidates[i]
        fi
      done
      # The tool has ordered the words; compadd quotes them.
      compadd -V TOOL -l -d shown -a candidates && result=0
      return result
    }
    if [[ $funcstack[1] == _TOOL ]]; then
      _TOOL "$@"
    else
      compdef _TOOL TOOL
    fi

    """#
  }

  private static var fish: String {
    #"""
    # Completes the words of TOOL in fish. Store this file as TOOL.fish in
    # PREFIX/share/fish/vendor_completions.d or ~/.config/fish/completions.
    function __TOOL_complete
        set -l words (commandline -opc)
        set -e words[1]
        set -l typed (commandline -ct)
        set -l last (string unescape -- $typed)
        or set last (string trim --left --chars '"\'' -- $typed)
        set -l option (string match -r -- '^--[^=]*=' $last)
        set -l path (string replace -- "$option" '' $last)
        for line in (command TOOL __complete -- $words "$last" 2>/dev/null)
            switch $line
                case \tfile
                    printf '%s\n' "$option"(__fish_complete_path $path)
                case \tdirectory
                    printf '%s\n' "$option"(__fish_complete_directories $path '')
                case '*'
                    printf '%s\n' $line
            end
        end
    end
    complete -c TOOL -f -k -a '(__TOOL_complete)'

    """#
  }
}
