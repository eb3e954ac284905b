"""Sources of video sets, all behind one interface: our own datasets (`generated`), the published ComPhy release in both of
its dialects (`comphy_release`), CLEVRER (`clevrer_release`), and a folder of one's own videos (`own_videos`). Read
`source` first; `opening` tells by its files what a folder is."""
