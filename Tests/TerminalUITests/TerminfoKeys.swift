// Written by `Tools/terminfo` with ncurses 6.4.20221231; do not edit.

/// The keys of terminals: a capability of terminfo, its bytes, and the terminals that have them.
let terminfoKeys = #"""
  kBEG3 \E[1;3E xterm-kitty
  kBEG4 \E[1;4E xterm-kitty
  kBEG5 \E[1;5E xterm-kitty
  kBEG6 \E[1;6E xterm-kitty
  kBEG7 \E[1;7E xterm-kitty
  kBEG \E[1;2E xterm-kitty
  kDC3 \E[3;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kDC4 \E[3;4~ xterm-256color xterm-kitty alacritty tmux-256color
  kDC5 \E[3;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kDC5 \E[3\^ rxvt-unicode-256color
  kDC6 \E[3;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kDC6 \E[3@ rxvt-unicode-256color
  kDC7 \E[3;7~ xterm-256color xterm-kitty alacritty tmux-256color
  kDC \E[3$ rxvt-unicode-256color
  kDC \E[3;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kDN3 \E[1;3B xterm-256color xterm-kitty alacritty tmux-256color
  kDN4 \E[1;4B xterm-256color xterm-kitty alacritty tmux-256color
  kDN5 \EOb rxvt-unicode-256color
  kDN5 \E[1;5B xterm-256color xterm-kitty alacritty tmux-256color
  kDN6 \E[1;6B xterm-256color xterm-kitty alacritty tmux-256color
  kDN7 \E[1;7B xterm-256color xterm-kitty alacritty tmux-256color
  kDN \E[1;2B xterm-256color xterm-kitty alacritty tmux-256color
  kDN \E[b rxvt-unicode-256color
  kEND3 \E[1;3F xterm-256color xterm-kitty alacritty tmux-256color
  kEND4 \E[1;4F xterm-256color xterm-kitty alacritty tmux-256color
  kEND5 \E[1;5F xterm-256color xterm-kitty alacritty tmux-256color
  kEND5 \E[8\^ rxvt-unicode-256color
  kEND6 \E[1;6F xterm-256color xterm-kitty alacritty tmux-256color
  kEND6 \E[8@ rxvt-unicode-256color
  kEND7 \E[1;7F xterm-256color xterm-kitty alacritty tmux-256color
  kEND \E[1;2F xterm-256color xterm-kitty alacritty tmux-256color
  kEND \E[8$ rxvt-unicode-256color
  kFND5 \E[1\^ rxvt-unicode-256color
  kFND6 \E[1@ rxvt-unicode-256color
  kFND \E[1$ rxvt-unicode-256color
  kHOM3 \E[1;3H xterm-256color xterm-kitty alacritty tmux-256color
  kHOM4 \E[1;4H xterm-256color xterm-kitty alacritty tmux-256color
  kHOM5 \E[1;5H xterm-256color xterm-kitty alacritty tmux-256color
  kHOM5 \E[7\^ rxvt-unicode-256color
  kHOM6 \E[1;6H xterm-256color xterm-kitty alacritty tmux-256color
  kHOM6 \E[7@ rxvt-unicode-256color
  kHOM7 \E[1;7H xterm-256color xterm-kitty alacritty tmux-256color
  kHOM \E[1;2H xterm-256color xterm-kitty alacritty tmux-256color
  kHOM \E[7$ rxvt-unicode-256color
  kIC3 \E[2;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kIC4 \E[2;4~ xterm-256color xterm-kitty alacritty tmux-256color
  kIC5 \E[2;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kIC5 \E[2\^ rxvt-unicode-256color
  kIC6 \E[2;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kIC6 \E[2@ rxvt-unicode-256color
  kIC7 \E[2;7~ xterm-256color xterm-kitty alacritty tmux-256color
  kIC \E[2$ rxvt-unicode-256color
  kIC \E[2;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kLFT3 \E[1;3D xterm-256color xterm-kitty alacritty tmux-256color
  kLFT4 \E[1;4D xterm-256color xterm-kitty alacritty tmux-256color
  kLFT5 \EOd rxvt-unicode-256color
  kLFT5 \E[1;5D xterm-256color xterm-kitty alacritty tmux-256color
  kLFT6 \E[1;6D xterm-256color xterm-kitty alacritty tmux-256color
  kLFT7 \E[1;7D xterm-256color xterm-kitty alacritty tmux-256color
  kLFT \E[1;2D xterm-256color xterm-kitty alacritty tmux-256color
  kLFT \E[d rxvt-unicode-256color
  kNXT3 \E[6;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kNXT4 \E[6;4~ xterm-256color xterm-kitty alacritty tmux-256color
  kNXT5 \E[6;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kNXT5 \E[6\^ rxvt-unicode-256color
  kNXT6 \E[6;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kNXT6 \E[6@ rxvt-unicode-256color
  kNXT7 \E[6;7~ xterm-256color xterm-kitty alacritty tmux-256color
  kNXT \E[6$ rxvt-unicode-256color
  kNXT \E[6;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kPRV3 \E[5;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kPRV4 \E[5;4~ xterm-256color xterm-kitty alacritty tmux-256color
  kPRV5 \E[5;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kPRV5 \E[5\^ rxvt-unicode-256color
  kPRV6 \E[5;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kPRV6 \E[5@ rxvt-unicode-256color
  kPRV7 \E[5;7~ xterm-256color xterm-kitty alacritty tmux-256color
  kPRV \E[5$ rxvt-unicode-256color
  kPRV \E[5;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kRIT3 \E[1;3C xterm-256color xterm-kitty alacritty tmux-256color
  kRIT4 \E[1;4C xterm-256color xterm-kitty alacritty tmux-256color
  kRIT5 \EOc rxvt-unicode-256color
  kRIT5 \E[1;5C xterm-256color xterm-kitty alacritty tmux-256color
  kRIT6 \E[1;6C xterm-256color xterm-kitty alacritty tmux-256color
  kRIT7 \E[1;7C xterm-256color xterm-kitty alacritty tmux-256color
  kRIT \E[1;2C xterm-256color xterm-kitty alacritty tmux-256color
  kRIT \E[c rxvt-unicode-256color
  kUP3 \E[1;3A xterm-256color xterm-kitty alacritty tmux-256color
  kUP4 \E[1;4A xterm-256color xterm-kitty alacritty tmux-256color
  kUP5 \EOa rxvt-unicode-256color
  kUP5 \E[1;5A xterm-256color xterm-kitty alacritty tmux-256color
  kUP6 \E[1;6A xterm-256color xterm-kitty alacritty tmux-256color
  kUP7 \E[1;7A xterm-256color xterm-kitty alacritty tmux-256color
  kUP \E[1;2A xterm-256color xterm-kitty alacritty tmux-256color
  kUP \E[a rxvt-unicode-256color
  ka1 \EOw xterm-256color rxvt-unicode-256color
  ka2 \EOx xterm-256color
  ka3 \EOy xterm-256color rxvt-unicode-256color
  kb1 \EOt xterm-256color
  kb2 \EOE alacritty
  kb2 \EOu xterm-256color rxvt-unicode-256color
  kb2 \E[G linux
  kb3 \EOv xterm-256color
  kbeg \EOE xterm-256color xterm-kitty
  kbs ^? xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kc1 \EOq xterm-256color rxvt-unicode-256color
  kc2 \EOr xterm-256color
  kc3 \EOs xterm-256color rxvt-unicode-256color
  kcbt2 \E[Z linux
  kcbt \E[Z xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color
  kcbt \E^I linux
  kcub1 \EOD xterm-256color xterm-kitty alacritty tmux-256color
  kcub1 \E[D rxvt-unicode-256color linux
  kcud1 \EOB xterm-256color xterm-kitty alacritty tmux-256color
  kcud1 \E[B rxvt-unicode-256color linux
  kcuf1 \EOC xterm-256color xterm-kitty alacritty tmux-256color
  kcuf1 \E[C rxvt-unicode-256color linux
  kcuu1 \EOA xterm-256color xterm-kitty alacritty tmux-256color
  kcuu1 \E[A rxvt-unicode-256color linux
  kdch1 \E[3~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kel \E[8\^ rxvt-unicode-256color
  kend \EOF xterm-256color xterm-kitty alacritty
  kend \E[4~ tmux-256color linux
  kend \E[8~ rxvt-unicode-256color
  kent \EOM xterm-256color alacritty rxvt-unicode-256color
  kf1 \EOP xterm-256color xterm-kitty alacritty tmux-256color
  kf1 \E[11~ rxvt-unicode-256color
  kf1 \E[[A linux
  kf2 \EOQ xterm-256color xterm-kitty alacritty tmux-256color
  kf2 \E[12~ rxvt-unicode-256color
  kf2 \E[[B linux
  kf3 \EOR xterm-256color xterm-kitty alacritty tmux-256color
  kf3 \E[13~ rxvt-unicode-256color
  kf3 \E[[C linux
  kf4 \EOS xterm-256color xterm-kitty alacritty tmux-256color
  kf4 \E[14~ rxvt-unicode-256color
  kf4 \E[[D linux
  kf5 \E[15~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color
  kf5 \E[[E linux
  kf6 \E[17~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf7 \E[18~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf8 \E[19~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf9 \E[20~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf10 \E[21~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf11 \E[23~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf12 \E[24~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kf13 \E[1;2P xterm-256color xterm-kitty alacritty tmux-256color
  kf13 \E[25~ rxvt-unicode-256color linux
  kf14 \E[1;2Q xterm-256color xterm-kitty alacritty tmux-256color
  kf14 \E[26~ rxvt-unicode-256color linux
  kf15 \E[1;2R xterm-256color xterm-kitty alacritty tmux-256color
  kf15 \E[28~ rxvt-unicode-256color linux
  kf16 \E[1;2S xterm-256color xterm-kitty alacritty tmux-256color
  kf16 \E[29~ rxvt-unicode-256color linux
  kf17 \E[15;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf17 \E[31~ rxvt-unicode-256color linux
  kf18 \E[17;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf18 \E[32~ rxvt-unicode-256color linux
  kf19 \E[18;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf19 \E[33~ rxvt-unicode-256color linux
  kf20 \E[19;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf20 \E[34~ rxvt-unicode-256color linux
  kf21 \E[20;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf22 \E[21;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf23 \E[23;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf24 \E[24;2~ xterm-256color xterm-kitty alacritty tmux-256color
  kf25 \E[1;5P xterm-256color xterm-kitty alacritty tmux-256color
  kf26 \E[1;5Q xterm-256color xterm-kitty alacritty tmux-256color
  kf27 \E[1;5R xterm-256color xterm-kitty alacritty tmux-256color
  kf28 \E[1;5S xterm-256color xterm-kitty alacritty tmux-256color
  kf29 \E[15;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf30 \E[17;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf31 \E[18;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf32 \E[19;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf33 \E[20;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf34 \E[21;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf35 \E[23;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf36 \E[24;5~ xterm-256color xterm-kitty alacritty tmux-256color
  kf37 \E[1;6P xterm-256color xterm-kitty alacritty tmux-256color
  kf38 \E[1;6Q xterm-256color xterm-kitty alacritty tmux-256color
  kf39 \E[1;6R xterm-256color xterm-kitty alacritty tmux-256color
  kf40 \E[1;6S xterm-256color xterm-kitty alacritty tmux-256color
  kf41 \E[15;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf42 \E[17;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf43 \E[18;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf44 \E[19;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf45 \E[20;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf46 \E[21;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf47 \E[23;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf48 \E[24;6~ xterm-256color xterm-kitty alacritty tmux-256color
  kf49 \E[1;3P xterm-256color xterm-kitty alacritty tmux-256color
  kf50 \E[1;3Q xterm-256color xterm-kitty alacritty tmux-256color
  kf51 \E[1;3R xterm-256color xterm-kitty alacritty tmux-256color
  kf52 \E[1;3S xterm-256color xterm-kitty alacritty tmux-256color
  kf53 \E[15;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf54 \E[17;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf55 \E[18;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf56 \E[19;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf57 \E[20;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf58 \E[21;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf59 \E[23;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf60 \E[24;3~ xterm-256color xterm-kitty alacritty tmux-256color
  kf61 \E[1;4P xterm-256color xterm-kitty alacritty tmux-256color
  kf62 \E[1;4Q xterm-256color xterm-kitty alacritty tmux-256color
  kf63 \E[1;4R xterm-256color xterm-kitty alacritty tmux-256color
  kfnd \E[1~ rxvt-unicode-256color
  khome \EOH xterm-256color xterm-kitty alacritty
  khome \E[1~ tmux-256color linux
  khome \E[7~ rxvt-unicode-256color
  kich1 \E[2~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kind \E[1;2B xterm-256color xterm-kitty alacritty tmux-256color
  kmous \E[M xterm-kitty tmux-256color rxvt-unicode-256color linux
  kmous \E[< xterm-256color alacritty
  knp \E[6~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kp5 \EOE xterm-256color
  kpADD \EOk xterm-256color
  kpCMA \EOl xterm-256color
  kpDIV \EOo xterm-256color
  kpDOT \EOn xterm-256color
  kpMUL \EOj xterm-256color
  kpSUB \EOm xterm-256color
  kpZRO \EOp xterm-256color
  kpp \E[5~ xterm-256color xterm-kitty alacritty tmux-256color rxvt-unicode-256color linux
  kri \E[1;2A xterm-256color xterm-kitty alacritty tmux-256color
  kslt \E[4~ rxvt-unicode-256color
  kspd ^Z linux
  """#
